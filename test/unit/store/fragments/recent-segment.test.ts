import { expect, test } from 'vitest'
import type { DocumentVersion } from '../../../../src/store/fragments/documents.ts'
import { RecentSegment } from '../../../../src/store/fragments/recent-segment.ts'

const documentOf = (id: string, updatedAt: string): DocumentVersion => ({
  id,
  updatedAt,
  createdAt: '2026',
  key: null,
  batch: id,
  name: '',
  metadata: null,
  pages: null,
  encoding: null,
  source: '',
  customIds: [],
  digest: null,
  fragments: [
    { offset: 0, text: id, words: Buffer.from(`${id} needle`), vector: new Float32Array([1]) },
  ],
})

test('a document that is replaced while it is searched is found in the version from before', async () => {
  const segment = new RecentSegment()
  const write = (document: DocumentVersion) => {
    segment.stage(document, 0)
    segment.hide(document.id)
    segment.show()
  }
  for (let n = 0; n < 1_000; n++) write(documentOf(`id${n}`, 'first'))
  const statistics = {
    fragments: 1_000,
    tokensPerFragment: 2,
    draws: [],
    documentFrequencies: (tokens: readonly string[]) => tokens.map(() => 1),
  }
  const search = () =>
    segment.search(new Map([['needle', 1]]), 2_000, {}, statistics, segment.shown)
  const versionsOf = async (found: ReturnType<typeof search>) =>
    (await found).flatMap(({ found: { datasourceId, updatedAt } }) =>
      datasourceId === 'id999' ? [updatedAt] : [],
    )
  const searching = search()
  write(documentOf('id999', 'second'))
  expect(await versionsOf(searching)).toEqual(['first'])
  expect(await versionsOf(search())).toEqual(['second'])
  expect(await search()).toHaveLength(1_000)
})
