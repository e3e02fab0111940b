import type { Table } from '@lancedb/lancedb'
import { StartupError } from '../../errors/errors.ts'
import type { OpenTable } from '../table/open-table.ts'
import { readRows } from '../lance/read-rows.ts'
import { fromRow, type RecordRow } from './record-rows.ts'

export type IsValid<T> = (value: T) => boolean

/** Reads all records. @throws StartupError if that fails or one is damaged */
export async function checkRecords<T>(table: OpenTable, isValid: IsValid<T>): Promise<void> {
  const counted = table.read((lance) => countDamaged(lance, isValid))
  const damaged = await counted.catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupError(`Its records cannot be read: ${reason}.`, { cause })
  })
  if (damaged > 0) throw new StartupError(`${damaged} of its records cannot be read.`)
}

export async function countDamaged<T>(table: Table, isValid: IsValid<T>): Promise<number> {
  let damaged = 0
  for await (const batch of table.query()) {
    damaged += readRows<RecordRow>(batch).filter((row) => !isRecord(row, isValid)).length
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
