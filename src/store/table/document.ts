/** `offset` counts UTF-16 code units; `words` are tokens in UTF-8 with blanks between. */
export type Fragment = { offset: number; text: string; words: Uint8Array; vector: Float32Array }

/** A datasource as the domain makes it. `metadata` is JSON. */
export type Document = {
  id: string
  /** What its user calls it; null where the service made its id. */
  key: string | null
  /** Begins the ids of all documents of one upsert. */
  batch: string
  name: string
  metadata: string | null
  /** Where the pages of its file begin, in UTF-16 code units, as JSON. Null without pages. */
  pages: string | null
  /** That of its file, null for other texts. */
  encoding: string | null
  source: string
  customIds: string[]
  /** The digest of its upsert, if that has an idempotency key. */
  digest: string | null
  fragments: Fragment[]
}

export type DatasourceInfo = Omit<Document, 'batch' | 'customIds' | 'fragments'> & {
  fragmentCount: number
  createdAt: string
  updatedAt: string
}

export type DocumentVersion = Document & Pick<DatasourceInfo, 'createdAt' | 'updatedAt'>

/** The pieces are in order; neighbours may overlap. */
export type StoredDocument = { info: DatasourceInfo; pieces: Pick<Fragment, 'offset' | 'text'>[] }

/** The id of the datasource of rows that belong to none, and are deleted in the next commit. */
export const noDatasource = ''
