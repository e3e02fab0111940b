import type { ProblemCode, Violation } from '../../generated/types.gen.ts'

/** Any failure a caller may be told about; the message is the Problem's `detail`. */
export class ServiceError extends Error {
  readonly code: ProblemCode

  constructor(code: ProblemCode, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = new.target.name
    this.code = code
  }
}

/** When the client has gone, so that nobody waits for an answer. */
export class Abandoned extends Error {
  override name = 'Abandoned'
}

/** The contract's `maxItems` of a Problem's errors. */
export const maxViolations = 1_000

/** When parts of the request break the contract; the message names the first. */
export class InvalidRequest extends ServiceError {
  readonly violations: Violation[]

  constructor(violations: Violation[], subject = 'The body') {
    super('invalid_request', summaryOf(violations, subject))
    this.violations = violations
  }
}

function summaryOf([first, ...others]: Violation[], subject: string): string {
  if (!first) return 'The request is not valid.'
  const summary = `${first.pointer || subject} ${first.detail}`
  if (others.length === 0) return /[.?]$/.test(summary) ? summary : `${summary}.`
  return `${summary} (and ${others.length} more in errors).`
}

/** When no key was sent (`missing`), or none that is valid. */
export class Unauthenticated extends ServiceError {
  readonly missing: boolean

  constructor(
    missing: boolean,
    detail = 'The key is not valid: it is unknown, revoked or expired.',
  ) {
    super('unauthenticated', missing ? 'Send a key: Authorization: Bearer <key>.' : detail)
    this.missing = missing
  }
}

/** When the key may not do what was asked; `scopes` are those it lacks. */
export class InsufficientScope extends ServiceError {
  readonly scopes: string[]

  constructor(
    scopes: string[],
    detail = `The key lacks the scope this operation needs: ${scopes.join(', ')}.`,
  ) {
    super('insufficient_scope', detail)
    this.scopes = scopes
  }
}

type Kind = 'agent' | 'conversation' | 'datastore' | 'datasource' | 'document' | 'key'

export class NotFound extends ServiceError {
  constructor(kind: Kind, id: string) {
    super('not_found', `There is no ${kind} ${id}.`)
  }
}

export class MethodNotAllowed extends ServiceError {
  readonly allowed: string[]

  constructor(allowed: string[]) {
    super('method_not_allowed', `This path takes ${allowed.join(', ')}.`)
    this.allowed = allowed
  }
}

export class IdempotencyMismatch extends ServiceError {
  constructor() {
    super(
      'idempotency_mismatch',
      'This Idempotency-Key was used in this datastore for other documents.',
    )
  }
}

/** When `If-Match` or `If-None-Match` does not hold; `rev` is the stored revision. */
export class PreconditionFailed extends ServiceError {
  readonly rev: number | string | undefined

  constructor(rev: number | string | undefined) {
    super(
      'precondition_failed',
      rev === undefined
        ? 'Nothing is there that If-Match could name.'
        : 'What is there is not what If-Match or If-None-Match asks for. A weak ETag, W/"…", never matches.',
    )
    this.rev = rev
  }
}

/** When a body is compressed, which would hide its size from the limits. */
export class UnsupportedEncoding extends ServiceError {
  constructor() {
    super('unsupported_media_type', 'Send the body without Content-Encoding.')
  }
}

/** When the server cannot work now; `retryAfter` is in seconds. */
export class Unavailable extends ServiceError {
  readonly retryAfter = 1

  constructor(detail: string, options?: ErrorOptions) {
    super('unavailable', detail, options)
  }
}

/** When the table of a datastore is damaged; the cause says what to do. */
export class DocumentsUnreadable extends Unavailable {
  constructor(datastoreId: string, cause: Error) {
    const detail = `The documents of ${datastoreId} cannot be read; the log of the server says why.`
    super(detail, { cause })
  }
}

/** The kinds of requests and answers whose number is limited. */
export type RefusedKind = 'writes' | 'files' | 'queries' | 'questions' | 'answers'

const refusedOutcome = (kind: RefusedKind): string =>
  kind === 'writes' || kind === 'files' ? '; nothing was stored' : ''

/** When the server holds as much as it can, of all workspaces together; `retryAfter` is in seconds. */
export class Overloaded extends ServiceError {
  readonly retryAfter: number

  constructor(kind: RefusedKind, retryAfter: number) {
    super('overloaded', `Too many ${kind} are waiting${refusedOutcome(kind)}.`)
    this.retryAfter = retryAfter
  }
}

/** When the caller's workspace holds its share, although others may have more; `retryAfter` is in seconds. */
export class TooManyRequests extends ServiceError {
  readonly retryAfter: number

  constructor(kind: RefusedKind, retryAfter: number) {
    super(
      'too_many_requests',
      `Too many ${kind} of this workspace are waiting${refusedOutcome(kind)}.`,
    )
    this.retryAfter = retryAfter
  }
}

/** When the disk is full; `next` says what can be done without room. */
export class StorageFull extends ServiceError {
  constructor(next?: string) {
    const detail = 'There is no room left to store this; nothing was stored.'
    super('storage_full', next === undefined ? detail : `${detail} ${next}`)
  }
}

/** When the server cannot start. The message says what to change. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

export class StoreInUse extends StartupError {
  readonly directory: string

  constructor(directory: string, cause: unknown) {
    super(
      `Another server is running on ${directory}. Stop it, or give this one its own DATA_URI.`,
      { cause },
    )
    this.directory = directory
  }
}

type ErrorClass = new (...args: never[]) => Error

/** For `catch`: errors of these classes count as nothing found; others are thrown again. */
export const orUndefined =
  (...classes: ErrorClass[]) =>
  (error: unknown): undefined => {
    if (!classes.some((one) => error instanceof one)) throw error
  }
