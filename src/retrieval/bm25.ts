/** LanceDB's own. */
const k1 = 1.2

/** The inverse document frequency of a token that so many of the fragments hold, as LanceDB has it. */
export const idf = (documentFrequency: number, fragments: number): number =>
  Math.log(1 + (Math.max(0, fragments - documentFrequency) + 0.5) / (documentFrequency + 0.5))

/** The most that a token of that idf adds to a score. */
export const maxScore = (tokenIdf: number): number => (k1 + 1) * tokenIdf
