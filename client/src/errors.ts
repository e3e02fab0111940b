import type { Problem, ProblemCode, Violation } from '../../generated/types.gen.ts'

/** Keeps completion and narrowing for what is known, and takes what a newer server may say. */
type KnownOrNewer<Known extends string> = Known | (string & Record<never, never>)

/** The service answered with a Problem. `code` says which; to get help, quote `requestId`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly code: KnownOrNewer<ProblemCode>
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly requestId: string
  /** Every part of the request that was wrong. */
  readonly errors: Violation[]
  /** Seconds after which the service wants to be asked again, where it says so. */
  readonly retryAfter: number | undefined

  constructor(problem: Problem, retryAfter?: number) {
    super(problem.detail)
    this.code = problem.code
    this.status = problem.status
    this.title = problem.title
    this.detail = problem.detail
    this.requestId = problem.requestId
    this.errors = problem.errors ?? []
    this.retryAfter = retryAfter
  }
}

/** Something answered that is not the service, such as a proxy. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError'
  readonly status: number
  readonly body: unknown
  readonly retryAfter: number | undefined

  /** @param url what was asked, or where it was redirected to */
  constructor(url: string, status: number, body: unknown, retryAfter?: number) {
    // A query may hold what is private.
    const { origin, pathname } = new URL(url)
    const what =
      status === 304
        ? ': nothing has changed since If-None-Match.'
        : " with something that is not the service's. Check baseUrl, and any proxy before it."
    super(`${origin}${pathname} answered ${status}${what}`)
    this.status = status
    this.body = body
    this.retryAfter = retryAfter
  }
}

/** No answer came, or not all of it: `cause` says why. What was asked may have been done. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError'
}

/** No answer came within the timeout. What was asked may have been done. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'

  constructor(timeout: number) {
    super(`No answer came within ${timeout} ms.`)
  }
}
