import { type ConfigWarning, toConfigWarning } from '../provider/config-warning.ts'
import type { OpenAiEmbedder } from './openai-embedder.ts'

const names = {
  provider: 'embedding provider',
  key: 'OPENAI_API_KEY',
  address: 'OPENAI_BASE_URL',
  model: ['EMBEDDING_MODEL', 'EMBEDDING_DIMENSIONS'],
}

/** Calls the embedder once. @returns what is wrong */
export async function checkEmbedder(embedder: OpenAiEmbedder): Promise<ConfigWarning[]> {
  try {
    await embedder.probe()
    return []
  } catch (error) {
    return [toConfigWarning(error, names)]
  }
}
