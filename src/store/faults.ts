import { ServiceError, StorageFull } from '../errors.ts'

/**
 * LanceDB's failures → ours. They all carry the same code and a text with paths in it, so the text
 * is read here and nowhere else, and is kept as the `cause` only.
 */
export async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw fault(cause)
  }
}

function fault(cause: unknown): Error {
  if (cause instanceof ServiceError) return cause
  const message = cause instanceof Error ? cause.message : String(cause)
  if (/no space left|os error 28|disk quota|os error 122/i.test(message)) {
    return new StorageFull({ cause })
  }
  return new Error('The store failed.', { cause })
}
