/** How much scores rise if a datastore has e times as many fragments. */
export const riseWithSize = 0.03

/** A score that can be compared with those of other datastores. */
export const comparable = (score: number, fragments: number): number =>
  score - riseWithSize * Math.log(Math.max(1, fragments))
