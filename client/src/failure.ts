import type { Client } from '../../generated/client/index.ts'
import type { Problem } from '../../generated/types.gen.ts'
import type { Deadline } from './deadline.ts'
import { ConnectionError, ProblemError, TimeoutError, UnexpectedAnswerError } from './errors.ts'

/** What was thrown at a request, or answered instead of what was asked for, as an error of this package. */
export function failureOf(
  error: unknown,
  {
    deadline,
    client,
    response,
  }: { deadline: Deadline; client: Client; response?: Response | undefined },
): unknown {
  if (isProblem(error)) return new ProblemError(error, response && retryAfterOf(response))
  if (deadline.isOver) return new TimeoutError(deadline.timeout)
  // The caller's own signal: whoever aborts gets the reason given.
  if (deadline.signal.aborted) return deadline.signal.reason
  const isWhole = response && (!response.ok || error instanceof SyntaxError)
  if (isWhole) return new UnexpectedAnswerError(response.status, error, retryAfterOf(response))
  const { baseUrl } = client.getConfig()
  const message = `No answer came from ${baseUrl}, or it broke off: ${reasonOf(error)}`
  return new ConnectionError(message, { cause: error })
}

/** `fetch` says no more than that it failed; its cause says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  // Of several addresses of a name each has its own error.
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0])
  return error.message
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
