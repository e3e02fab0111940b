import { Index } from '@lancedb/lancedb'

/** The index of vectors that the service makes and how it is searched, for LanceDB alone to have the same. */
export const vectorIndex = () => Index.ivfRq({ distanceType: 'cosine', numBits: 6 })
export const nprobes = 40
