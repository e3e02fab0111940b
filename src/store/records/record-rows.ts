import { Field, Int32, Schema, Utf8 } from 'apache-arrow'
import { primaryKey } from '../lance/schema.ts'

/** `rev` is what `replace` compares. */
export type Stored<T> = {
  id: string
  workspace: string
  rev: number
  createdAt: string
  value: T
}

export type RecordRow = {
  id: string
  workspace: string
  rev: number
  created_at: string
  value: string
}

export const recordSchema = new Schema([
  primaryKey('id'),
  new Field('workspace', new Utf8(), false),
  new Field('rev', new Int32(), false),
  new Field('created_at', new Utf8(), false),
  new Field('value', new Utf8(), false),
])

export function toRow<T>({ id, workspace, rev, createdAt, value }: Stored<T>): RecordRow {
  return { id, workspace, rev, created_at: createdAt, value: JSON.stringify(value) }
}

export function fromRow<T>({ id, workspace, rev, created_at, value }: RecordRow): Stored<T> {
  return { id, workspace, rev, createdAt: created_at, value: JSON.parse(value) }
}
