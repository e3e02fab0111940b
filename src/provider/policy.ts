import {
  bulkhead,
  circuitBreaker,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleWhen,
  type IPolicy,
  isBrokenCircuitError,
  isBulkheadRejectedError,
  retry,
  wrap,
} from 'cockatiel'
import { CallFailed, isOutage, isTransient } from './failure.ts'

const maxWaitingCalls = 4_000
const maxRetries = 2
/** A caller waits for longer delays itself, by `Retry-After`. */
const maxRetryDelaySeconds = 5
const failuresToBreak = 5
const breakSeconds = 2

/** Lets so many calls run at once, retries transient failures, and stops while the provider is down. */
export function createPolicy(maxCalls: number): IPolicy {
  return wrap(
    // Outside the bulkhead, so that a call that waits to be retried holds no place in it.
    retry(
      handleWhen((error) => isTransient(error) && error.retryAfter <= maxRetryDelaySeconds),
      {
        maxAttempts: maxRetries,
        backoff: new DelegateBackoff(({ attempt, result }) => {
          const error = 'error' in result ? result.error : undefined
          const wanted = isTransient(error) ? error.retryAfter : 0
          return wanted > 1 ? wanted * 1000 : 250 * 2 ** attempt
        }),
      },
    ),
    bulkhead(maxCalls, maxWaitingCalls),
    circuitBreaker(handleWhen(isOutage), {
      halfOpenAfter: breakSeconds * 1000,
      breaker: new ConsecutiveBreaker(failuresToBreak),
    }),
  )
}

export function fromPolicy(error: unknown): unknown {
  if (error instanceof Error && isBrokenCircuitError(error)) {
    return new CallFailed('held', 'keeps failing', { retryAfter: breakSeconds })
  }
  if (error instanceof Error && isBulkheadRejectedError(error)) {
    return new CallFailed('held', 'has too many calls waiting')
  }
  return error
}
