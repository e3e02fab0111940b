import { EmbeddingFailed, EmbeddingTimeout } from '../errors.ts'
import type { OpenAiEmbedder } from './openai-embedder.ts'
import { ProviderFailed } from './provider-failure.ts'

/** `message` names the setting at fault; `reason` is what the provider said. */
export type Doubt = { message: string; reason: string | undefined }

export async function doubtOf(embedder: OpenAiEmbedder): Promise<Doubt | undefined> {
  try {
    await embedder.probe()
    return undefined
  } catch (error) {
    const { message } = error as Error
    const reason = error instanceof EmbeddingFailed ? error.reason : undefined
    return { message: `${blamed(error)} ${message}`, reason }
  }
}

function blamed(error: unknown): string {
  if (error instanceof EmbeddingTimeout) return unreachable
  if (!(error instanceof ProviderFailed)) {
    return 'The embedding provider does not do what EMBEDDING_MODEL, EMBEDDING_DIMENSIONS and OPENAI_BASE_URL ask of it.'
  }
  const { status = 503 } = error
  if (status === 401 || status === 403) return 'The embedding provider refuses OPENAI_API_KEY.'
  if (status === 402 || status === 429) return 'The embedding provider refuses calls for now.'
  if (status >= 500) return unreachable
  return status === 400 || status === 422
    ? 'The embedding provider refuses EMBEDDING_MODEL or EMBEDDING_DIMENSIONS.'
    : 'The embedding provider does not know EMBEDDING_MODEL, or nothing of the kind is at OPENAI_BASE_URL.'
}

const unreachable = 'Nobody answers at OPENAI_BASE_URL as yet; what needs it fails until then.'
