import type { ProviderConfig } from '../config/config.ts'
import type { ConfigWarning } from '../provider/config-warning.ts'
import type { Embedder } from './embedder.ts'
import { HashingEmbedder } from './hashing-embedder.ts'

export type CheckedEmbedder = { embedder: Embedder; check: () => Promise<ConfigWarning[]> }

/** Loads the provider library only if it is needed. */
export async function openEmbedder(provider: ProviderConfig | undefined): Promise<CheckedEmbedder> {
  if (!provider) return { embedder: new HashingEmbedder(), check: async () => [] }
  const { OpenAiEmbedder } = await import('./openai-embedder.ts')
  const embedder = new OpenAiEmbedder(provider)
  return { embedder, check: () => embedder.check() }
}
