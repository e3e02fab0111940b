import { EmbeddingFailed, EmbeddingTimeout } from '../errors.ts'
import { CallFailed } from '../provider/failure.ts'

export function toEmbeddingError(error: unknown): unknown {
  if (!(error instanceof CallFailed)) return error
  const { kind, message, retryAfter, reason } = error
  const detail = `The embedding provider ${message}.`
  const options = { cause: error, retryAfter, reason }
  return kind === 'late' ? new EmbeddingTimeout(detail) : new EmbeddingFailed(detail, options)
}
