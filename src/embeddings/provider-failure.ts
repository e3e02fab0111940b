import { APIError } from 'openai'
import { EmbeddingFailed, EmbeddingTimeout } from '../errors.ts'

/** When a call of the provider failed; `status` is what it answered with, if it did. */
export class ProviderFailed extends EmbeddingFailed {
  readonly status: number | undefined

  constructor(
    detail: string,
    status: number | undefined,
    options: ErrorOptions & { retryAfter: number; reason?: string },
  ) {
    super(detail, options)
    this.status = status
  }
}

/** These are about the settings and the account; what is said of others may repeat a caller's text. */
const withReason = new Set([401, 402, 403, 404, 429])

/**
 * What the library threw, as a failure that says it is the provider's. With `isOwnText` no caller's text
 * was sent, so that any reason can be told.
 */
export function toFailure(error: unknown, isOwnText: boolean): EmbeddingFailed {
  if (error instanceof EmbeddingFailed) return error
  if (!(error instanceof APIError)) {
    return new EmbeddingFailed('The embedding provider gave no embeddings.', { cause: error })
  }
  const { status, headers } = error
  const detail = status
    ? `The embedding provider answered ${status}.`
    : 'The embedding provider could not be reached.'
  const said = isOwnText || withReason.has(status ?? 0) ? reasonOf(error) : undefined
  const options = {
    retryAfter: secondsToWait(headers),
    cause: error,
    ...(said && { reason: said }),
  }
  return new ProviderFailed(detail, status, options)
}

/** As `createProviderFetch` has it. */
function reasonOf({ error }: APIError): string | undefined {
  const { message } = (error ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : undefined
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
