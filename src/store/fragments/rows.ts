import {
  Field,
  FixedSizeList,
  Float32,
  Int32,
  List,
  type RecordBatch,
  Schema,
  Table,
  Utf8,
} from 'apache-arrow'
import { labelsOf } from '../../metadata/labels.ts'
import { TimeSlice } from '../../process/time-slice.ts'
import { currentFormat } from './formats.ts'
import { itemOf, primaryKey, arrowTable } from '../lance/columns.ts'
import { type DocumentVersion, type Fragment, noDatasource } from './documents.ts'

type Row = {
  id: string
  document: DocumentVersion
  labels: () => string[]
  fragment: Fragment
  position: number
}

type Column = { field: Field; of: (row: Row) => unknown }

const text = (
  name: string,
  of: (row: Row) => string | Uint8Array | null,
  isNullable = false,
): Column => ({ field: new Field(name, new Utf8(), isNullable), of })

const integer = (name: string, of: (row: Row) => number, isNullable = false): Column => ({
  field: new Field(name, new Int32(), isNullable),
  of,
})

const strings = (name: string, of: (row: Row) => string[]): Column => ({
  field: new Field(name, new List(itemOf(new Utf8())), false),
  of,
})

const floats = (name: string, dimensions: number, of: (row: Row) => Float32Array): Column => ({
  field: new Field(name, new FixedSizeList(dimensions, itemOf(new Float32())), false),
  of,
})

/** A row is a fragment. Only the first of a datasource has the key, the metadata, the pages and the encoding. */
const makeColumns = (dimensions: number): Column[] => [
  { field: primaryKey('id'), of: ({ id }) => id },
  text('datasource_id', ({ document }) => document.id),
  integer('position', ({ position }) => position),
  integer('fragment_count', ({ document }) => document.fragments.length),
  integer('offset', ({ fragment }) => fragment.offset),
  text('text', ({ fragment }) => fragment.text),
  text('words', ({ fragment }) => fragment.words),
  floats('vector', dimensions, ({ fragment }) => fragment.vector),
  text('document_key', ({ document, position }) => (position === 0 ? document.key : null), true),
  text('name', ({ document }) => document.name),
  text('metadata', ({ document, position }) => (position === 0 ? document.metadata : null), true),
  text('pages', ({ document, position }) => (position === 0 ? document.pages : null), true),
  text('encoding', ({ document, position }) => (position === 0 ? document.encoding : null), true),
  text('source', ({ document }) => document.source),
  text('batch', ({ document }) => document.batch),
  strings('custom_ids', ({ document }) => document.customIds),
  strings('labels', ({ labels }) => labels()),
  text('digest', ({ document }) => document.digest, true),
  text('created_at', ({ document }) => document.createdAt),
  text('updated_at', ({ document }) => document.updatedAt),
  integer('format', () => currentFormat, true),
]

const knownColumns = new Map<number, Column[]>()

function columnsFor(dimensions: number): Column[] {
  const columns = knownColumns.get(dimensions) ?? makeColumns(dimensions)
  knownColumns.set(dimensions, columns)
  return columns
}

export const fragmentSchema = (dimensions: number, maker?: VectorMaker): Schema =>
  new Schema(
    columnsFor(dimensions).map(({ field }) => field),
    maker ? schemaMetadataOf(maker) : null,
  )

/** What made the vectors of a table: a model, and the prefixes of the texts of each role. */
export type VectorMaker = { model: string; prefixes?: Record<Role, string> | undefined }

type Role = 'query' | 'document'

const modelKey = 'embeddingModel'
const prefixesKey = 'embeddingPrefixes'

function schemaMetadataOf({ model, prefixes }: VectorMaker): Map<string, string> {
  const metadata = new Map([[modelKey, model]])
  if (prefixes) metadata.set(prefixesKey, JSON.stringify(prefixes))
  return metadata
}

/** Undefined if the table is too old to name it. */
export function vectorMakerOf(metadata: Map<string, string>): VectorMaker | undefined {
  const model = metadata.get(modelKey)
  const prefixes = metadata.get(prefixesKey)
  if (model === undefined) return undefined
  return prefixes === undefined ? { model } : { model, prefixes: JSON.parse(prefixes) }
}

export const toTable = (documents: DocumentVersion[]): Table => toArrow(rowsOf(documents))

const rowsPerSlice = 128
/** A row has the labels of its document, which may be thousands. */
const labelsPerSlice = 40_000
/** Tokens of Chinese take ten times the text. */
const bytesPerSlice = 2 * 1024 * 1024

/** @param emptied ids of rows that are to be of no document */
export async function toTableInSlices(
  documents: DocumentVersion[],
  emptied: string[] = [],
): Promise<Table> {
  const rows = [...rowsOf(documents), ...emptyRows(emptied, documents)]
  const slice = new TimeSlice()
  for (const { labels } of rows.filter(({ position }) => position === 0)) {
    labels()
    await slice.pause()
  }
  const batches: RecordBatch[] = []
  for (const some of inSlices(rows)) {
    batches.push(...toArrow(some).batches)
    await slice.pause()
  }
  return new Table(batches)
}

function* inSlices(rows: Row[]): Generator<Row[]> {
  let [start, labels, bytes] = [0, 0, 0]
  for (const [index, row] of rows.entries()) {
    labels += row.labels().length
    bytes += bytesOf(row)
    const isFull = labels >= labelsPerSlice || bytes >= bytesPerSlice
    if (index + 1 - start < rowsPerSlice && !isFull) continue
    yield rows.slice(start, index + 1)
    ;[start, labels, bytes] = [index + 1, 0, 0]
  }
  if (start < rows.length) yield rows.slice(start)
}

const bytesOf = ({ fragment }: Row): number =>
  fragment.text.length + fragment.words.byteLength + fragment.vector.byteLength

const rowsOf = (documents: DocumentVersion[]): Row[] =>
  documents.flatMap((document) => {
    const labels = once(() => labelsOf(document.metadata))
    return document.fragments.map((fragment, position) => ({
      id: rowId(document.id, position),
      document,
      labels,
      fragment,
      position,
    }))
  })

export const rowId = (datasourceId: string, position: number): string =>
  `${datasourceId}#${position}`

const noDocument: DocumentVersion = {
  id: noDatasource,
  key: null,
  batch: '',
  name: '',
  metadata: null,
  pages: null,
  encoding: null,
  source: '',
  customIds: [],
  digest: null,
  createdAt: '',
  updatedAt: '',
  fragments: [],
}

function emptyRows(ids: string[], [document]: DocumentVersion[]): Row[] {
  // A vector of zeros is near nothing, which indexes do not take.
  const { vector } = document!.fragments[0]!
  const fragment = { offset: 0, text: '', words: new Uint8Array(), vector }
  return ids.map((id) => ({ id, document: noDocument, labels: () => [], fragment, position: -1 }))
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function toArrow(rows: Row[]): Table {
  const columns = columnsFor(rows[0]!.fragment.vector.length)
  return arrowTable(columns.map(({ field, of }) => ({ field, values: rows.map(of) })))
}
