import { expect, test } from 'vitest'
import { Deadline } from '../../../src/process/deadline.ts'
import { LabelBudget } from '../../../src/domain/label-budget.ts'
import { Ingestion } from '../../../src/domain/ingestion.ts'
import type { Embedder } from '../../../src/embeddings/embedder.ts'
import { HashingEmbedder } from '../../../src/embeddings/hashing-embedder.ts'
import { Fragments } from '../../../src/store/fragments/fragments.ts'
import { openDatabase, temporaryDirectory } from '../../support/server.ts'

/** Stands in for a provider. */
class CountingEmbedder implements Embedder {
  readonly model = 'counting'
  readonly dimensions = 1024
  readonly isModel = true
  count = 0
  readonly #embedder = new HashingEmbedder()

  embed(texts: string[], signal: AbortSignal): Promise<Float32Array[]> {
    this.count += texts.length
    return this.#embedder.embed(texts, signal)
  }
}

/** The ingestion of an empty store with one datastore. */
async function openIngestion() {
  const fragments = new Fragments(await openDatabase(await temporaryDirectory()))
  const embedder = new CountingEmbedder()
  const ingestion = new Ingestion({ fragments, embedder, labels: new LabelBudget() })
  const { model: embeddingModel, dimensions } = embedder
  const value = { name: '', embeddingModel, dimensions, fragmentLength: 2_000 }
  const datastore = { id: 'dst_1', workspace: 'default', rev: 1, createdAt: '', value }
  await fragments.create(datastore.id, embedder.dimensions)
  return { embedder, ingestion, datastore }
}

test('an update asks a provider only for the fragments whose text is new', async () => {
  const { embedder, ingestion, datastore } = await openIngestion()
  const paragraphs = ['a', 'b', 'c'].map((letter) => `${letter}word `.repeat(300))
  const text = paragraphs.join('\n\n')
  const [id = ''] = await ingestion.upsert(datastore, [{ text }], new Deadline(60))
  expect(embedder.count).toBe(3)
  await ingestion.update(datastore, id, { text, name: 'New name' }, new Deadline(60))
  expect(embedder.count).toBe(3)
  const changed = { text: text.replaceAll('cword', 'dword') }
  await ingestion.update(datastore, id, changed, new Deadline(60))
  expect(embedder.count).toBe(4)
})
