/** BM25's own, and LanceDB's: how soon more of a token says no more, and how much long texts are held back. */
const saturation = 1.2
const lengthShare = 0.75

/** The inverse document frequency: what a token tells of the fragments that hold it. Above 0. */
export const rarity = (holders: number, fragments: number): number =>
  Math.log(1 + (Math.max(0, fragments - holders) + 0.5) / (holders + 0.5))

/** What a token that is so rare can add at the most. */
export const mostOf = (rare: number): number => (saturation + 1) * rare

/** What a token adds of that is `frequency / (frequency + norm)`, the less the longer the text is. */
export const normOf = (length: number, averageLength: number): number =>
  saturation * (1 - lengthShare + (lengthShare * length) / averageLength)
