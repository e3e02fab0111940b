import { APIError } from 'openai'
import { EmbeddingFailed, EmbeddingTimeout } from '../errors.ts'

/** When a call of the provider failed; `status` is what it answered with, if it did. */
export class ProviderFailed extends EmbeddingFailed {
  readonly status: number | undefined

  constructor(detail: string, status: number | undefined, retryAfter: number, cause: unknown) {
    super(detail, { retryAfter, cause })
    this.status = status
  }
}

/** What the library threw, as a failure that says it is the provider's. */
export function toFailure(error: unknown): EmbeddingFailed {
  if (error instanceof EmbeddingFailed) return error
  if (!(error instanceof APIError)) {
    return new EmbeddingFailed('The embedding provider gave no embeddings.', { cause: error })
  }
  const { status, headers } = error
  const detail = status
    ? `The embedding provider answered ${status}.`
    : 'The embedding provider could not be reached.'
  return new ProviderFailed(detail, status, secondsToWait(headers), error)
}

/** Whether the same call may succeed a moment later. */
export const isPassing = (error: unknown): error is ProviderFailed =>
  error instanceof ProviderFailed &&
  (error.status === undefined || error.status === 429 || error.status >= 500)

/** Whether others will meet it too: not a wrong key or model, which mend with the settings. */
export const isFaultOfProvider = (error: unknown): boolean =>
  isPassing(error) ||
  error instanceof EmbeddingTimeout ||
  (error instanceof EmbeddingFailed && !(error instanceof ProviderFailed))

/** `Retry-After` in seconds, which it is or which are left until it; 1 when it does not say. */
function secondsToWait(headers: Headers | undefined): number {
  const value = headers?.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return seconds > 1 ? Math.min(Math.ceil(seconds), 3600) : 1
}
