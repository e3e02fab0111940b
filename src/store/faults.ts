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

/**
 * Whether a file that was to be read is missing, empty, cut short or full of zeros: what LanceDB
 * said when each kind of its files was. Any other failure may pass, and says nothing of what is
 * stored.
 */
export const isTorn = (cause: unknown): boolean =>
  [
    /not found|no such file/i,
    /invalid range|too small|sufficient data|fill whole buffer|invalid seek|unexpected end/i,
    /footer|magic|decode protobuf|no field named id/i,
  ].some((said) => said.test(textOf(cause)))

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
