import type { Client } from '../../generated/client/index.ts'
import type { Problem } from '../../generated/types.gen.ts'
import type { Answer } from './call.ts'
import { ConnectionError, ProblemError, TimeoutError, UnexpectedAnswerError } from './errors.ts'

/** What a request is made of: parts of the path, query, headers and body. */
export type Sent = {
  path?: Record<string, string>
  query?: object
  headers?: object
  body?: unknown
}

/** A function of the generated client. */
export type Sender = (options: never) => Promise<Outcome>
type Outcome = { data?: unknown; error?: unknown; response?: Response }

/**
 * Sends a request once.
 * @throws ProblemError, UnexpectedAnswerError, ConnectionError, TimeoutError, or the reason of `signal`
 */
export async function attempt<T>(
  sender: Sender,
  request: Sent & { client: Client; signal?: AbortSignal | undefined },
  timeout: number,
): Promise<Answer<T>> {
  checkPath(request.path)
  const deadline = AbortSignal.timeout(timeout)
  const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline
  const { data, error, response } = await sender({ ...request, signal } as never)
  if (response && error === undefined) return { data: data as T, response }
  if (request.signal?.aborted) throw request.signal.reason
  if (deadline.aborted) throw new TimeoutError(timeout)
  throw failureOf(error, response)
}

/** What came instead of an answer, as an error. */
function failureOf(error: unknown, response: Response | undefined): Error {
  if (!response || response.ok) {
    return new ConnectionError('The connection broke before the answer was there.', {
      cause: error,
    })
  }
  if (!isProblem(error)) return new UnexpectedAnswerError(response.status, error)
  return new ProblemError(error, retryAfterOf(response.headers))
}

const isProblem = (error: unknown): error is Problem =>
  typeof error === 'object' && error !== null && 'code' in error && 'requestId' in error

/** Seconds, also where `Retry-After` is a date. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = Number(value)
  const wait = Number.isNaN(seconds) ? (Date.parse(value) - Date.now()) / 1000 : seconds
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/** A URL takes these for other paths, however they are escaped. */
function checkPath(path: Record<string, string> = {}): void {
  for (const [name, value] of Object.entries(path)) {
    if (['', '.', '..'].includes(value)) throw new TypeError(`${name} cannot be '${value}'.`)
  }
}
