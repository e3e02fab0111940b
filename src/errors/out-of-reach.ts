import { Unavailable } from './errors.ts'

/** When an object store does not answer. Of a write that this breaks off nobody knows whether it is done. */
export class OutOfReach extends Error {
  override readonly name = 'OutOfReach'
}

/** For `catch` of work that stores nothing. */
export function asUnavailable(error: unknown): never {
  if (!(error instanceof OutOfReach)) throw error
  throw new Unavailable('The store does not answer.', { cause: error })
}
