/** What is being done to a thing that no workspace sees meanwhile. */
export type Mark = { doing: 'making' | 'deleting'; workspace: string }

/** What the workspaces of marked things begin with; no name of a workspace does. */
export const markPrefix = '.'

/** The workspace that stands for a mark: what stands in it is seen by nobody, and costs no reader. */
export const toMarked = ({ doing, workspace }: Mark): string => `${markPrefix}${doing}.${workspace}`

/** The mark that a workspace stands for; undefined where it is an ordinary one. */
export function readMark(workspace: string): Mark | undefined {
  const [, doing, name = ''] = /^\.(making|deleting)\.(.+)$/.exec(workspace) ?? []
  return doing === 'making' || doing === 'deleting' ? { doing, workspace: name } : undefined
}
