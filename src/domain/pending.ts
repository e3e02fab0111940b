type Pending = { doing: 'making' | 'deleting'; workspace: string }

/** No workspace's name begins with it, so callers see no pending record. */
export const pendingPrefix = '.'

export const toPending = ({ doing, workspace }: Pending): string =>
  `${pendingPrefix}${doing}.${workspace}`

export function readPending(workspace: string): Pending | undefined {
  const [, doing, name = ''] = /^\.(making|deleting)\.(.+)$/.exec(workspace) ?? []
  return doing === 'making' || doing === 'deleting' ? { doing, workspace: name } : undefined
}
