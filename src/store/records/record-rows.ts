import type { Table } from '@lancedb/lancedb'
import { Field, Int32, Schema, Utf8 } from 'apache-arrow'
import { StartupError } from '../../errors/errors.ts'
import { primaryKey } from '../lance/columns.ts'
import { messageOf } from '../lance/faults.ts'
import { readRows } from '../lance/read-rows.ts'
import type { OpenTable } from '../table/open-table.ts'

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

export type IsValid<T> = (value: T) => boolean

/** Reads all records. @throws StartupError if that fails or one is damaged */
export async function checkRecords<T>(table: OpenTable, isValid: IsValid<T>): Promise<void> {
  const counted = table.read((lance) => countDamaged(lance, isValid))
  const damaged = await counted.catch((cause: unknown) => {
    throw new StartupError(`Its records cannot be read: ${messageOf(cause)}.`, { cause })
  })
  if (damaged > 0) throw new StartupError(`${damaged} of its records cannot be read.`)
}

export const countDamaged = <T>(table: Table, isValid: IsValid<T>): Promise<number> =>
  countUnless(table, (row: RecordRow) => isRecord(row, isValid))

/** Reads all rows. @returns how many are not whole */
export async function countUnless(table: Table, isWhole: (row: never) => boolean): Promise<number> {
  let damaged = 0
  for await (const batch of table.query()) {
    damaged += readRows<never>(batch).filter((row) => !isWhole(row)).length
  }
  return damaged
}

function isRecord<T>(row: RecordRow, isValid: IsValid<T>): boolean {
  try {
    const { id, workspace, rev, createdAt, value } = fromRow<T>(row)
    const isNamed = /^[\w.-]{1,128}$/.test(id) && /^[.a-z0-9-]{1,80}$/.test(workspace)
    return isNamed && rev > 0 && isInstant(createdAt) && isValid(value)
  } catch {
    return false
  }
}

export const isInstant = (text: unknown): boolean =>
  typeof text === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(text) && Date.parse(text) > 0
