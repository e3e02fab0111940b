import type { DocumentVersion } from '../../src/store/fragments/documents.ts'

/** A document of one fragment, which holds the word `text`, for a table of two dimensions. */
export const documentVersion = (id: string): DocumentVersion => ({
  id,
  key: null,
  batch: id,
  name: id,
  metadata: null,
  pages: null,
  encoding: null,
  source: '',
  customIds: [],
  digest: null,
  createdAt: '1',
  updatedAt: '1',
  fragments: [
    {
      offset: 0,
      text: `Text ${id}.`,
      words: Buffer.from('text'),
      vector: Float32Array.of(1, 0),
    },
  ],
})
