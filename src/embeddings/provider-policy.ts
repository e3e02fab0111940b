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
import { EmbeddingFailed } from '../errors.ts'
import { isFaultOfProvider, isPassing } from './provider-failure.ts'

const callsAtOnce = 8
/** Enough for a dozen of the largest requests; past it, a request fails at once. */
const callsWaiting = 4_000
const retries = 2
/** A provider that wants to be left alone for longer is; the caller is told how long. */
const longestWaitSeconds = 5
/** After so many failures in a row the provider is left alone for this long. */
const failuresToBreak = 5
const breakSeconds = 2

/** How calls of a provider are made: few at once, repeated after a passing fault, not when it is down. */
export function createPolicy(): IPolicy {
  return wrap(
    // What waits to be repeated holds no place among the calls that run.
    retry(
      handleWhen((error) => isPassing(error) && error.retryAfter <= longestWaitSeconds),
      {
        maxAttempts: retries,
        backoff: new DelegateBackoff(({ attempt, result }) => {
          const error = 'error' in result ? result.error : undefined
          const wanted = isPassing(error) ? error.retryAfter : 0
          return wanted > 1 ? wanted * 1000 : 250 * 2 ** attempt
        }),
      },
    ),
    bulkhead(callsAtOnce, callsWaiting),
    circuitBreaker(handleWhen(isFaultOfProvider), {
      halfOpenAfter: breakSeconds * 1000,
      breaker: new ConsecutiveBreaker(failuresToBreak),
    }),
  )
}

/** What the policy itself refused, as a failure of ours; anything else as it is. */
export function fromPolicy(error: unknown): unknown {
  if (error instanceof Error && isBrokenCircuitError(error)) {
    const detail = 'The embedding provider keeps failing.'
    return new EmbeddingFailed(detail, { retryAfter: breakSeconds })
  }
  if (error instanceof Error && isBulkheadRejectedError(error)) {
    return new EmbeddingFailed('Too many texts wait for the embedding provider.')
  }
  return error
}
