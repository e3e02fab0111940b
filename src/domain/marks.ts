export type Mark = { doing: 'making' | 'deleting'; workspace: string }

/** No workspace's name begins with it, so callers see no marked record. */
export const markPrefix = '.'

export const toMarked = ({ doing, workspace }: Mark): string => `${markPrefix}${doing}.${workspace}`

export function readMark(workspace: string): Mark | undefined {
  const [, doing, name = ''] = /^\.(making|deleting)\.(.+)$/.exec(workspace) ?? []
  return doing === 'making' || doing === 'deleting' ? { doing, workspace: name } : undefined
}
