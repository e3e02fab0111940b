import { and, equal, type Filter, isSet, oneOf } from '../lance/filter.ts'
import { readRows } from '../lance/read-rows.ts'
import type { OpenTable } from '../table/open-table.ts'

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

/** A document that is deleted or replaced. Without `updatedAt` it is absent, unless another server adds it meanwhile. */
export type Gone = { id: string; fragmentCount: number; updatedAt?: string }

export const infoColumns: Record<keyof DatasourceInfo, string> = {
  id: 'datasource_id',
  key: 'document_key',
  name: 'name',
  metadata: 'metadata',
  pages: 'pages',
  encoding: 'encoding',
  source: 'source',
  digest: 'digest',
  fragmentCount: 'fragment_count',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
}

export const deletedBy = (table: OpenTable, where: Filter): Promise<Gone[]> =>
  table.readAll<Gone>((query) =>
    query
      .where(and(equal('position', 0), where))
      .select({ id: 'datasource_id', fragmentCount: 'fragment_count', updatedAt: 'updated_at' }),
  )

export async function infosOf(
  table: OpenTable,
  ids: string[],
): Promise<Map<string, DatasourceInfo>> {
  if (ids.length === 0) return new Map()
  const infos = await table.readAll<DatasourceInfo>((query) =>
    query.where(and(equal('position', 0), oneOf('datasource_id', ids))).select(infoColumns),
  )
  return new Map(infos.map((info) => [info.id, info]))
}

type PieceRow = DatasourceInfo & Pick<Fragment, 'offset' | 'text'> & { position: number }

/** The documents that exist, all read at one moment. */
export async function documentsOf(
  table: OpenTable,
  ids: string[],
): Promise<Map<string, StoredDocument>> {
  if (ids.length === 0) return new Map()
  const columns = { ...infoColumns, position: 'position', offset: 'offset', text: 'text' }
  const rows = await table.readAll<PieceRow>((query) =>
    query.where(oneOf('datasource_id', ids)).select(columns),
  )
  rows.sort((a, b) => a.position - b.position)
  const byId = Map.groupBy(rows, ({ id }) => id)
  return new Map(Array.from(byId, ([id, pieces]) => [id, { info: pieces[0]!, pieces }]))
}

const wholeColumns = {
  ...infoColumns,
  batch: 'batch',
  customIds: 'custom_ids',
  position: 'position',
  offset: 'offset',
  text: 'text',
  vector: 'vector',
  words: 'words',
}

type WholeRow = Omit<DocumentVersion, 'fragments'> &
  Omit<Fragment, 'words'> & { words: string; position: number }

/** A document with its words and vectors, to write it again. */
export async function wholeDocument(
  table: OpenTable,
  id: string,
): Promise<DocumentVersion | undefined> {
  const rows = await table.readAll<WholeRow>((query) =>
    query.where(equal('datasource_id', id)).select(wholeColumns),
  )
  if (rows.length === 0) return undefined
  rows.sort((a, b) => a.position - b.position)
  return { ...rows[0]!, fragments: rows.map(toFragment) }
}

function toFragment({ offset, text, vector, words }: WholeRow): Fragment {
  return { offset, text, vector, words: Buffer.from(words) }
}

/** A `Set` takes no more. Beyond that, every batch is looked up. */
const maxKnown = 2 ** 24 - 1

/** The digests of upserts with an idempotency key, by their batch. */
export class BatchDigests {
  readonly #table: OpenTable
  /** The last 32 bits of every batch, because looking one up reads all rows. */
  #known: Set<number> | undefined

  constructor(table: OpenTable) {
    this.#table = table
  }

  /** Finds the batches that are stored. The caller is about to add the others. */
  async find(batches: string[]): Promise<Map<string, string>> {
    const possible = await this.#possible(batches)
    if (possible.length === 0) return new Map()
    const rows = await this.#table.readAll<{ batch: string; digest: string }>((query) =>
      query.where(oneOf('batch', possible)).select(['batch', 'digest']),
    )
    return new Map(rows.map(({ batch, digest }) => [batch, digest]))
  }

  async #possible(batches: string[]): Promise<string[]> {
    if (this.#table.volume.isShared || batches.length === 0) return batches
    const known = (this.#known ??= await this.#read())
    const possible = batches.filter((batch) => known.size === maxKnown || known.has(endOf(batch)))
    for (const batch of batches) remember(known, batch)
    return possible
  }

  async #read(): Promise<Set<number>> {
    const known = new Set<number>()
    const isKeyed = and(equal('position', 0), isSet('digest'))
    await this.#table.read(async (table) => {
      for await (const rows of table.query().where(isKeyed).select(['batch'])) {
        for (const { batch } of readRows<{ batch: string }>(rows)) remember(known, batch)
      }
    })
    return known
  }
}

function remember(known: Set<number>, batch: string): void {
  if (known.size < maxKnown) known.add(endOf(batch))
}

const endOf = (batch: string): number => Number.parseInt(batch.slice(-8), 16) | 0
