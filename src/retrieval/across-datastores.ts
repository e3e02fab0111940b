/** How much the scores that chance reaches rise if a datastore has e times as many fragments. */
export const riseWithSize = 0.03

/** How much less a score is worth if a datastore has e times as many fragments. */
const discount = 0.2

/** What a score is worth beside those of other datastores. Among many fragments chance reaches a higher one. */
export const comparable = (score: number, fragments: number): number =>
  score / (1 + discount * Math.log(Math.max(1, fragments)))
