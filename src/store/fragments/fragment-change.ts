import type { Table } from '@lancedb/lancedb'
import { addRows } from './add-rows.ts'
import { oneOf } from '../lance/filter.ts'
import { type Document, type DocumentVersion, toTableInSlices } from './rows.ts'

/** What a group of writes changes in a table of fragments. */
export type Change = { added: DocumentVersion[]; replaced: Replacement[]; removed: Removal[] }

/** A document's new version, and how many fragments it had before. */
export type Replacement = { version: DocumentVersion; fragmentCount: number }

/** A document that goes, and how many fragments it has. */
export type Removal = { id: string; fragmentCount: number }

/**
 * Makes one commit, of the cheapest kind that will do.
 * @param mayBeThere whether some of what is added may be in the table, and is to stay as it is there
 * @returns whether all of it came in
 */
export async function applyChange(
  table: Table,
  change: Change,
  mayBeThere: boolean,
): Promise<boolean> {
  const { added, replaced, removed } = change
  const changed = changedIds(change)
  const versions = versionsOf(change)
  if (versions.length === 0) {
    if (removed.length > 0) await table.delete(oneOf('datasource_id', changed))
    return true
  }
  const rows = await toTableInSlices(versions)
  if (changed.length === 0 && !mayBeThere) {
    await addRows(table, rows)
    return true
  }
  const insert = table.mergeInsert('id').whenNotMatchedInsertAll()
  const merge =
    changed.length === 0
      ? insert
      : insert
          .whenMatchedUpdateAll({ where: oneOf('target.datasource_id', changed) })
          .whenNotMatchedBySourceDelete({ where: oneOf('datasource_id', changed) })
  const { numInsertedRows } = await merge.execute(rows)
  return numInsertedRows === rowsOf(added) + replaced.reduce((sum, one) => sum + growth(one), 0)
}

/** All documents that are written. */
export const versionsOf = ({ added, replaced }: Change): DocumentVersion[] => [
  ...added,
  ...replaced.map(({ version }) => version),
]

/** The ids of the documents whose rows go or are written over. */
export const changedIds = ({ replaced, removed }: Change): string[] => [
  ...replaced.map(({ version }) => version.id),
  ...removed.map(({ id }) => id),
]

/** How many rows go or are written over. */
export const goneRowsOf = ({ replaced, removed }: Change): number =>
  [...replaced, ...removed].reduce((sum, { fragmentCount }) => sum + fragmentCount, 0)

/** How many more fragments a document has than the one it replaces. */
const growth = ({ version, fragmentCount }: Replacement): number =>
  Math.max(0, version.fragments.length - fragmentCount)

/** How many rows documents take. */
export const rowsOf = (documents: Document[]): number =>
  documents.reduce((sum, { fragments }) => sum + fragments.length, 0)
