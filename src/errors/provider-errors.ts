import type { ProblemCode } from '../../generated/types.gen.ts'
import { ServiceError } from './errors.ts'

/** When a datastore holds vectors of another embedder than the server runs with. */
export class EmbeddingModelMismatch extends ServiceError {
  constructor(datastore: string, wanted: string, running: string) {
    super(
      'embedding_model_mismatch',
      `The datastore ${datastore} needs the embedder ${wanted}; the server runs with ${running}. Queries by keyword still work.`,
    )
  }
}

type ProviderFailure = ErrorOptions & { retryAfter?: number | null; reason?: string | undefined }

/**
 * When a provider failed; `retryAfter` is in seconds, null where a second try is in vain, and `reason`, its own words,
 * for the log alone.
 */
export class ProviderFailed extends ServiceError {
  readonly retryAfter: number | null
  readonly reason: string | undefined

  constructor(
    code: ProblemCode,
    detail: string,
    { retryAfter = 1, reason, ...options }: ProviderFailure = {},
  ) {
    super(code, detail, options)
    this.retryAfter = retryAfter
    this.reason = reason
  }
}

export class EmbeddingFailed extends ProviderFailed {
  /** The index of the text that the provider refuses. */
  readonly refused: number | undefined

  constructor(
    detail: string,
    { refused, ...failure }: ProviderFailure & { refused?: number | undefined } = {},
  ) {
    super('embedding_failed', detail, failure)
    this.refused = refused
  }
}

export class EmbeddingTimeout extends ServiceError {
  constructor(detail: string) {
    super('embedding_timeout', detail)
  }
}

export class ChatFailed extends ProviderFailed {
  constructor(detail: string, failure?: ProviderFailure) {
    super('chat_failed', detail, failure)
  }
}

export class ChatTimeout extends ServiceError {
  constructor(detail: string) {
    super('chat_timeout', detail)
  }
}
