import { checkVectors, type Embedder } from '../embeddings/embedder.ts'
import { EmbeddingModelMismatch } from '../errors.ts'
import type { Datastore } from './datastores.ts'

/** A datastore's vectors of texts. @throws EmbeddingModelMismatch, EmbeddingFailed, EmbeddingTimeout */
export async function embedFor(
  { value, workspace }: Datastore,
  embedder: Embedder,
  texts: string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  checkEmbedder(value, embedder)
  if (texts.length === 0) return []
  const vectors = await embedder.embed(texts, signal, workspace)
  checkVectors(vectors, texts.length, value.dimensions)
  return vectors
}

type Made = Datastore['value']

/** Vectors of two models, or of two lengths, cannot be compared. */
function checkEmbedder({ embeddingModel, dimensions }: Made, embedder: Embedder): void {
  const isSame = embeddingModel === embedder.model
  if (isSame && (embedder.dimensions ?? dimensions) === dimensions) return
  throw new EmbeddingModelMismatch(
    `${embeddingModel} with ${dimensions} dimensions`,
    embedder.dimensions ? `${embedder.model} with ${embedder.dimensions}` : embedder.model,
  )
}
