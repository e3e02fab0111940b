import type { Standing } from '../retrieval/retrieval.ts'

/** Fitted on questions of 15 datastores, and the same for 29 others. */
const weights = { score: 10, cover: 6, near: 3, chance: -10, size: -0.3 }

/** With less a question is declined. */
export const minEvidence = 2

/**
 * What speaks for it that a question is answered by what was found: the score of the first source, more than
 * chance gives in a datastore of that size, and how much of the question the quoted passage holds.
 */
export const evidenceFor = (score: number, cover: number, standing: Standing): number =>
  weights.score * score +
  weights.cover * cover +
  weights.near * Math.sqrt(standing.near) +
  weights.chance * standing.chance +
  weights.size * Math.log(Math.max(2, standing.fragments))
