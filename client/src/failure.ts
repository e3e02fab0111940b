import type { Client } from '../../generated/client/index.ts'
import type { Problem } from '../../generated/types.gen.ts'
import type { Deadline } from './deadline.ts'
import { ConnectionError, ProblemError, TimeoutError, UnexpectedAnswerError } from './errors.ts'

/** What a request threw, or an answer that is not the expected one, as an error of this package. */
export function failureOf(
  error: unknown,
  {
    deadline,
    client,
    request,
    response,
    hasBegun = response !== undefined,
  }: {
    deadline: Deadline
    client: Client
    /** What was sent, if another server may have answered. */
    request?: Request
    response?: Response | undefined
    /** Whether a part of the answer has come. */
    hasBegun?: boolean
  },
): unknown {
  if (isProblem(error)) return new ProblemError(error, response && retryAfterOf(response))
  if (deadline.isOver) return new TimeoutError(deadline.timeout)
  // The caller's own signal: whoever aborts gets the reason given.
  if (deadline.signal.aborted) return deadline.signal.reason
  if (request && response && (!response.ok || error instanceof SyntaxError)) {
    // An answer that was made by the caller's own `fetch` has no address.
    const url = response.url || request.url
    return new UnexpectedAnswerError(url, response.status, error, retryAfterOf(response))
  }
  const { baseUrl } = client.getConfig()
  const happened = hasBegun
    ? `The answer of ${baseUrl} broke off`
    : `No answer came from ${baseUrl}`
  return new ConnectionError(`${happened}: ${reasonOf(error)}`, { cause: error })
}

/** `fetch` says no more than that it failed; the last of its causes says why. */
function reasonOf(error: unknown, seen = new Set<unknown>()): string {
  if (!(error instanceof Error)) return String(error)
  seen.add(error)
  // Each address of a host name has its own error.
  const cause = error instanceof AggregateError ? error.errors[0] : error.cause
  if (cause instanceof Error && !seen.has(cause)) return reasonOf(cause, seen)
  const code = 'code' in error ? String(error.code) : undefined
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'it speaks no TLS; try http://'
  return error.message || (code ?? error.name)
}

const isProblem = (error: unknown): error is Problem =>
  typeof error === 'object' && error !== null && 'code' in error && 'requestId' in error

/** Seconds, also where `Retry-After` is a date. */
function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('Retry-After')
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
