import { MergeInsertBuilder, type Table } from '@lancedb/lancedb'
import { vi } from 'vitest'
import { noDatasource } from '../../../src/store/fragments/documents.ts'
import { OpenTable } from '../../../src/store/table/open-table.ts'

/** What a disk does to a commit: nothing, fail before it, or fail when it is done. */
export type Fault = 'none' | 'before' | 'after'

/** Rows as they reach the table. */
type Rows = { getChild(column: string): { toArray(): string[] } | null }

/**
 * Does the work while commits meet the faults that `faultOf` says, by the names and the ids of the
 * documents they write. A commit that only deletes meets none.
 */
export async function withFaults<T>(
  faultOf: (names: string[], ids: Set<string>) => Fault,
  work: () => Promise<T>,
): Promise<T> {
  const commit = OpenTable.prototype.commit
  const spy = vi.spyOn(OpenTable.prototype, 'commit')
  spy.mockImplementation(function (this: OpenTable, rows, write) {
    return commit.call(this, rows, (table) => write(watched(table, faultOf) as Table))
  })
  try {
    return await work()
  } finally {
    spy.mockRestore()
  }
}

function watched(target: object, faultOf: Parameters<typeof withFaults>[0]): object {
  return new Proxy(target, {
    get: (_, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]): unknown => {
        const run = (): unknown => Reflect.apply(member, target, args)
        if (name === 'add' || name === 'execute') return commitRows(args[0] as Rows, run, faultOf)
        const result = run()
        return result instanceof MergeInsertBuilder ? watched(result, faultOf) : result
      }
    },
  })
}

async function commitRows(
  rows: Rows,
  run: () => unknown,
  faultOf: Parameters<typeof withFaults>[0],
): Promise<unknown> {
  const column = (name: string) => Array.from(rows.getChild?.(name)?.toArray() ?? [])
  // Rows that a shorter version leaves belong to no document.
  const ids = new Set(column('datasource_id').filter((id) => id !== noDatasource))
  const fault = faultOf(column('name'), ids)
  if (fault === 'before') throw new Error('The disk failed.')
  const result = await run()
  if (fault === 'after') throw new Error('The disk failed, or so it said.')
  return result
}
