import { ConnectionError, ProblemError, UnexpectedAnswerError } from './errors.ts'

/** The server did nothing, so even requests that must not be done twice are sent again. */
const refused = new Set([429, 503])

const transient = new Set([408, 429, 500, 502, 503, 504])

/** A caller who should wait longer gets the error instead. */
const longestWait = 60_000

const firstBackoff = 500
const longestBackoff = 8000

/**
 * Milliseconds to wait before a request is sent again; undefined where it must not be.
 * @param isRepeatable whether sending it twice does no more than sending it once
 */
export function delayAfter(
  error: unknown,
  retries: number,
  isRepeatable: boolean,
): number | undefined {
  if (!isTransient(error, isRepeatable)) return undefined
  const asked = isAnswer(error) && error.retryAfter !== undefined && error.retryAfter * 1000
  // Never earlier than asked, and not all at once.
  if (asked !== false) return asked > longestWait ? undefined : asked * (1 + Math.random() / 4)
  const backoff = Math.min(firstBackoff * 2 ** retries, longestBackoff)
  return backoff * (1 - Math.random() / 2)
}

function isTransient(error: unknown, isRepeatable: boolean): boolean {
  if (!isAnswer(error)) return isRepeatable && error instanceof ConnectionError
  // A model's provider refuses what was sent.
  const isInVain = error.status === 502 && error.retryAfter === undefined
  if (isInVain && error instanceof ProblemError) return false
  if (error.status < 300) return isRepeatable
  return (isRepeatable ? transient : refused).has(error.status)
}

export const isAnswer = (error: unknown): error is ProblemError | UnexpectedAnswerError =>
  error instanceof ProblemError || error instanceof UnexpectedAnswerError

/** Waits, or throws the reason of the signal. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
  })
