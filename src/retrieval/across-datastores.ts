/** Scores rise by so much where a datastore has e times as many fragments. */
export const riseWithSize = 0.03

/** What a score is compared by with those of other datastores. */
export const comparable = (score: number, fragments: number): number =>
  score - riseWithSize * Math.log(Math.max(1, fragments))
