import { problems } from '../../generated/problems.gen.ts'
import { type ServiceError, StartupError } from '../errors/errors.ts'
import { ProviderFailed } from '../errors/provider-errors.ts'
import type { Log } from '../process/log.ts'
import { toServiceError } from './problem.ts'

/** Turns an error into the one that the caller sees, and logs what only the operator may know. */
export function toReportedError(
  thrown: unknown,
  requestId: string | undefined,
  log: Log,
): ServiceError {
  const error = toServiceError(thrown)
  const { code, message } = error
  if (code === 'internal') log.error({ requestId, err: thrown })
  // There may be thousands a second, and each request has its own line.
  else if (code === 'overloaded') log.debug({ requestId, code }, message)
  else if (problems[code].status >= 500) {
    const reason = error instanceof ProviderFailed ? error.reason : reasonOf(error.cause)
    log.warn({ requestId, code, reason }, message)
  }
  return error
}

const reasonOf = (cause: unknown): string | undefined =>
  cause instanceof StartupError ? cause.message : undefined
