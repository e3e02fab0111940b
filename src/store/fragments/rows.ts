import {
  Field,
  FixedSizeList,
  Float32,
  Int32,
  List,
  makeVector,
  type RecordBatch,
  Schema,
  Table,
  Utf8,
} from 'apache-arrow'
import { TimeSlice } from '../../scheduling/time-slice.ts'
import { stringColumn, stringListColumn, utf8Column, vectorColumn } from '../lance/columns.ts'
import { itemOf, primaryKey } from '../lance/schema.ts'

/** `offset` counts UTF-16 code units; `words` are tokens in UTF-8 with blanks between. */
export type Fragment = { offset: number; text: string; words: Uint8Array; vector: Float32Array }

/** A datasource as the domain makes it; `metadata` is JSON. */
export type Document = {
  id: string
  /** What the ids of all documents of its upsert start with. */
  batch: string
  name: string
  metadata: string | null
  source: string
  customIds: string[]
  /** Of its upsert, where that can be repeated. */
  digest: string | null
  fragments: Fragment[]
}

/** What is known of a stored datasource without reading its fragments. */
export type DocumentHead = Omit<Document, 'batch' | 'customIds' | 'fragments'> & {
  fragmentCount: number
  createdAt: string
  updatedAt: string
}

export type DocumentVersion = Document & Pick<DocumentHead, 'createdAt' | 'updatedAt'>

export type Piece = Pick<Fragment, 'offset' | 'text'>

/** The pieces are in order; neighbours may overlap. */
export type StoredDocument = { head: DocumentHead; pieces: Piece[] }

/** Where the schema of a table names the model of its vectors. */
export const modelKey = 'embeddingModel'

/** A row is a fragment; a datasource is its rows, of which the first alone has the metadata. */
export const fragmentSchema = (dimensions: number, model?: string): Schema =>
  new Schema(fragmentFields(dimensions), model === undefined ? null : new Map([[modelKey, model]]))

const fragmentFields = (dimensions: number): Field[] => [
  primaryKey('id'),
  new Field('datasource_id', new Utf8(), false),
  new Field('position', new Int32(), false),
  new Field('fragment_count', new Int32(), false),
  new Field('offset', new Int32(), false),
  new Field('text', new Utf8(), false),
  new Field('words', new Utf8(), false),
  new Field('vector', new FixedSizeList(dimensions, itemOf(new Float32())), false),
  new Field('name', new Utf8(), false),
  new Field('metadata', new Utf8(), true),
  new Field('source', new Utf8(), false),
  new Field('batch', new Utf8(), false),
  new Field('custom_ids', new List(itemOf(new Utf8())), false),
  new Field('digest', new Utf8(), true),
  new Field('created_at', new Utf8(), false),
  new Field('updated_at', new Utf8(), false),
]

export const toTable = (documents: DocumentVersion[]): Table => tableOf(rowsOf(documents))

const rowsASlice = 128

/** The same in batches of some milliseconds' work, between which others get their turn. */
export async function toTableInSlices(documents: DocumentVersion[]): Promise<Table> {
  const rows = rowsOf(documents)
  const slice = new TimeSlice()
  const batches: RecordBatch[] = []
  for (let start = 0; start < rows.length; start += rowsASlice) {
    await slice.pause()
    batches.push(...tableOf(rows.slice(start, start + rowsASlice)).batches)
  }
  return new Table(batches)
}

type Row = { document: DocumentVersion; fragment: Fragment; position: number }

const rowsOf = (documents: DocumentVersion[]): Row[] =>
  documents.flatMap((document) =>
    document.fragments.map((fragment, position) => ({ document, fragment, position })),
  )

function tableOf(rows: Row[]): Table {
  const dimensions = rows[0]!.fragment.vector.length
  const strings = (value: (row: Row) => string | null) => stringColumn(rows.map(value))
  const integers = (value: (row: Row) => number) => makeVector(Int32Array.from(rows, value))
  return new Table(fragmentSchema(dimensions), {
    id: strings(({ document, position }) => `${document.id}#${position}`),
    datasource_id: strings(({ document }) => document.id),
    position: integers(({ position }) => position),
    fragment_count: integers(({ document }) => document.fragments.length),
    offset: integers(({ fragment }) => fragment.offset),
    text: strings(({ fragment }) => fragment.text),
    words: utf8Column(rows.map(({ fragment }) => fragment.words)),
    vector: vectorColumn(
      rows.map(({ fragment }) => fragment.vector),
      dimensions,
    ),
    name: strings(({ document }) => document.name),
    metadata: strings(({ document, position }) => (position === 0 ? document.metadata : null)),
    source: strings(({ document }) => document.source),
    batch: strings(({ document }) => document.batch),
    custom_ids: stringListColumn(rows.map(({ document }) => document.customIds)),
    digest: strings(({ document }) => document.digest),
    created_at: strings(({ document }) => document.createdAt),
    updated_at: strings(({ document }) => document.updatedAt),
  })
}
