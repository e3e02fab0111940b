/** LanceDB's own. */
const [k1, b] = [1.2, 0.75]

/** The inverse document frequency of a token that so many of the fragments hold, as LanceDB has it. */
export const idf = (documentFrequency: number, fragments: number): number =>
  Math.log(1 + (Math.max(0, fragments - documentFrequency) + 0.5) / (documentFrequency + 0.5))

/** The most that a token of that idf adds to a score. */
export const maxScore = (tokenIdf: number): number => (k1 + 1) * tokenIdf

/** What a token adds to the score of a fragment that holds it `times`; 1 is the average length. */
export const bm25 = (tokenIdf: number, times: number, relativeLength: number): number =>
  (tokenIdf * times * (k1 + 1)) / (times + k1 * (1 - b + b * relativeLength))
