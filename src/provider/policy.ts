import {
  circuitBreaker,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleWhen,
  isBrokenCircuitError,
  retry,
} from 'cockatiel'
import { CallFailed, isOutage, isTransient } from './failure.ts'

const maxRetries = 2
/** A caller waits longer delays itself, by `Retry-After`. */
const maxRetryDelaySeconds = 5
const failuresToBreak = 5
const breakSeconds = 2

/** `inSlot` lets a call wait until its caller may make one. */
export type CallPolicy = <T>(call: () => Promise<T>, inSlot?: InSlot) => Promise<T>
export type InSlot = <T>(call: () => Promise<T>) => Promise<T>

/** Retries transient failures, and stops while the provider is down. @throws CallFailed */
export function createPolicy(): CallPolicy {
  const retrying = retry(
    handleWhen((error) => isTransient(error) && error.retryAfter <= maxRetryDelaySeconds),
    {
      maxAttempts: maxRetries,
      backoff: new DelegateBackoff(({ attempt, result }) => {
        const error = 'error' in result ? result.error : undefined
        const wanted = isTransient(error) ? error.retryAfter : 0
        return wanted > 1 ? wanted * 1000 : 250 * 2 ** attempt
      }),
    },
  )
  const breaking = circuitBreaker(handleWhen(isOutage), {
    halfOpenAfter: breakSeconds * 1000,
    breaker: new ConsecutiveBreaker(failuresToBreak),
  })
  let last: unknown
  breaking.onFailure(({ reason, handled }) => {
    if (handled && 'error' in reason) last = reason.error
  })
  // A call that waits for a retry holds no slot.
  return (call, inSlot = atOnce) =>
    retrying
      .execute(() => inSlot(() => breaking.execute(call)))
      .catch((error: unknown) => {
        throw error instanceof Error && isBrokenCircuitError(error) ? leftAlone(last) : error
      })
}

const atOnce: InSlot = (call) => call()

function leftAlone(last: unknown): CallFailed {
  const how = last instanceof CallFailed ? `, and ${last.message} the last time` : ''
  return new CallFailed('circuit-open', `keeps failing${how}`, { retryAfter: breakSeconds })
}
