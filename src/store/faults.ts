import { ServiceError, StorageFull } from '../errors.ts'

/**
 * LanceDB's failures → ours. They all carry the same code, and a text with paths and values in it:
 * it is read here and nowhere else, and goes no further but for its plain words.
 */
export async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw fault(cause)
  }
}

/** Whether a failure says something of the machine as it is now, and nothing of what is stored. */
export const isPassing = (cause: unknown): boolean =>
  /too many open files|permission denied|cannot allocate|os error (?:5|12|13|23|24)\b/i.test(
    textOf(cause),
  )

function fault(cause: unknown): Error {
  if (cause instanceof ServiceError) return cause
  const message = textOf(cause)
  if (/no space left|os error 28|disk quota|os error 122/i.test(message)) {
    return new StorageFull()
  }
  return new Error(`The store failed: ${plainWords(message)}`)
}

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const plainWords = (message: string): string =>
  message
    .replaceAll(/'[^']*'|"[^"]*"/g, '…')
    // A path may hold blanks: everything between its first and last slash goes.
    .replaceAll(/\S*\/.*\/\S*|\S*\/\S*/g, '…')
    .slice(0, 300)
