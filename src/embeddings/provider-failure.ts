import { APIError } from 'openai'
import { EmbeddingFailed, EmbeddingTimeout } from '../errors.ts'

/** When a call failed; `status` is undefined when the provider did not answer. */
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

/** With other statuses a provider may repeat a caller's text. */
const statusesWithReason = new Set([401, 402, 403, 404, 429])

/** What the library threw → our failure. With `isOwnText` no caller's text was sent. */
export function toFailure(error: unknown, isOwnText: boolean): EmbeddingFailed {
  if (error instanceof EmbeddingFailed) return error
  if (!(error instanceof APIError)) {
    return new EmbeddingFailed('The embedding provider gave no embeddings.', { cause: error })
  }
  const { status, headers } = error
  const detail = status
    ? `The embedding provider answered ${status}.`
    : 'The embedding provider could not be reached.'
  const reason = isOwnText || statusesWithReason.has(status ?? 0) ? reasonOf(error) : undefined
  const options = {
    retryAfter: retryAfterOf(headers),
    cause: error,
    ...(reason && { reason }),
  }
  return new ProviderFailed(detail, status, options)
}

function reasonOf({ error }: APIError): string | undefined {
  const { message } = (error ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : undefined
}

export const isTransient = (error: unknown): error is ProviderFailed =>
  error instanceof ProviderFailed &&
  (error.status === undefined || error.status === 429 || error.status >= 500)

/** Not where the provider refuses a key or model. */
export const isOutage = (error: unknown): boolean =>
  isTransient(error) ||
  error instanceof EmbeddingTimeout ||
  (error instanceof EmbeddingFailed && !(error instanceof ProviderFailed))

/** `Retry-After`, a number or a date, in seconds. */
function retryAfterOf(headers: Headers | undefined): number {
  const value = headers?.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return seconds > 1 ? Math.min(Math.ceil(seconds), 3600) : 1
}
