import { Unavailable } from './errors.ts'

/** When an object store does not answer. An interrupted write may or may not be stored. */
export class StoreUnreachable extends Error {
  override readonly name = 'StoreUnreachable'
}

/** For `catch` of work that stores nothing. */
export function asUnavailable(error: unknown): never {
  if (!(error instanceof StoreUnreachable)) throw error
  throw new Unavailable('The store does not answer.', { cause: error })
}
