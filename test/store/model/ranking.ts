import type { QueryMode } from '../../../generated/types.gen.ts'
import { queryTokens } from '../../../src/domain/query-tokens.ts'
import {
  byBoth,
  byVector,
  byWords,
  candidates,
  lexical,
  semantic,
} from '../../../src/domain/ranking.ts'
import { soughtTokens } from '../../../src/domain/sought-tokens.ts'
import { tokensOf } from '../../../src/domain/terms.ts'
import { TextMatcher } from '../../../src/domain/text-match.ts'
import { type Found, inPlace } from '../../../src/store/hits.ts'
import { WordCounts } from '../../../src/store/word-counts.ts'
import { Direction } from '../../../src/direction.ts'
import { isBuiltIn, vector } from './embedding.ts'
import { fragmentsOf, type Kept, type Shelf } from './shelf.ts'
import { metadataCases } from './values.ts'

/** Of so many fragments at most both words and vectors find all. */
const mostFound = candidates

/** A fragment as it must be found. */
export type Hit = Found & { score: number }

/**
 * The fragments of the documents that must be found, each with its score: from all texts of the
 * shelf as they are now, counted anew. Undefined where it is not known which are ranked.
 */
export async function ranked(
  shelf: Shelf,
  documents: Kept[],
  query: string,
  mode: QueryMode,
  topK: number,
): Promise<Hit[] | undefined> {
  const { embeddingModel } = shelf.shown
  const direction = await vector(embeddingModel, query)
  const found = (await Promise.all(documents.map((one) => foundIn(embeddingModel, one)))).flat()
  const counts = new WordCounts()
  for (const { text } of shelf.documents) {
    for (const fragment of fragmentsOf(text)) counts.add(Buffer.from(tokensOf(fragment)))
  }
  const tokens = queryTokens(query, counts)
  const matcher = new TextMatcher(tokens, soughtTokens(tokens), counts)
  const soughtIn = ({ text }: Found) => matcher.match(text).sought
  const byItsWords = found
    .filter((one) => soughtIn(one) > 0)
    .toSorted((a, b) => soughtIn(b) - soughtIn(a) || inPlace(a, b))
    .slice(0, Math.max(Math.ceil(topK * 1.5), candidates))
  const isFull = byItsWords.length >= topK
  if (mode === 'hybrid' && !isBuiltIn(embeddingModel) && found.length > mostFound) return undefined
  const scored = {
    vector: () => byVector(found, direction),
    keyword: () => byWords(byItsWords, matcher),
    hybrid: () =>
      isBuiltIn(embeddingModel)
        ? byBoth(isFull ? byItsWords : found, matcher, direction, lexical)
        : byBoth(found, matcher, direction, semantic),
  }[mode]()
  return scored.map(({ found: one, score }) => ({ ...one, score }))
}

function foundIn(model: string, { id, text, name, metadata, updatedAt }: Kept): Promise<Found[]> {
  const { source } = metadataCases[metadata]!
  return Promise.all(
    fragmentsOf(text).map(async (fragment, position) => ({
      datasourceId: id,
      position,
      text: fragment,
      name,
      source,
      updatedAt,
      direction: new Direction(await vector(model, fragment)),
    })),
  )
}
