import { expect, test } from 'vitest'
import { Deadline } from '../../src/deadline.ts'
import { Ingestion } from '../../src/domain/ingestion.ts'
import { HashingEmbedder } from '../../src/embeddings/hashing-embedder.ts'
import { Fragments } from '../../src/store/fragments.ts'
import { openDatabase, temporaryDirectory } from '../support/server.ts'

class CountingEmbedder extends HashingEmbedder {
  count = 0
  override embed(texts: string[], signal: AbortSignal): Promise<Float32Array[]> {
    this.count += texts.length
    return super.embed(texts, signal)
  }
}

test('an update embeds only the fragments whose text is new', async () => {
  const fragments = new Fragments(await openDatabase(await temporaryDirectory()))
  const embedder = new CountingEmbedder()
  const ingestion = new Ingestion(fragments, embedder)
  const value = { name: '', embeddingModel: embedder.model, dimensions: embedder.dimensions }
  const datastore = { id: 'dst_1', workspace: 'default', rev: 1, createdAt: '', value }
  await fragments.create(datastore.id, embedder.dimensions)

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
