import type { Records } from '../store/store.ts'
import type { Stored } from '../store/types.ts'

type Pending = { doing: 'making' | 'deleting'; workspace: string }

/** No workspace's name begins with it, so callers see no pending record. */
const pendingPrefix = '.'

export const toPending = ({ doing, workspace }: Pending): string =>
  `${pendingPrefix}${doing}.${workspace}`

export function readPending(workspace: string): Pending | undefined {
  const [, doing, name = ''] = /^\.(making|deleting)\.(.+)$/.exec(workspace) ?? []
  return doing === 'making' || doing === 'deleting' ? { doing, workspace: name } : undefined
}

export const isDeleting = (workspace: string): boolean =>
  readPending(workspace)?.doing === 'deleting'

/** The records of all workspaces without those that are pending. */
export async function settledIn<T>(records: Records<T>): Promise<Stored<T>[]> {
  const all = await records.ofWorkspaces('')
  return all.filter(({ workspace }) => !readPending(workspace))
}

/** The records whose change was begun before a time, or all that have one. */
export async function pendingIn<T>(records: Records<T>, before?: Date): Promise<Stored<T>[]> {
  const pending = await records.ofWorkspaces(pendingPrefix)
  const time = before?.toISOString()
  return pending.filter(({ createdAt }) => time === undefined || createdAt < time)
}
