import type { AgentsDatastores, DatasourceSummary } from '../../../client/src/index.ts'

/** A file on its way, and what came of it. */
export type Upload = {
  name: string
  state: 'waiting' | 'sending' | 'done' | 'failed'
  stored?: DatasourceSummary
  error?: unknown
}

/** The path of a file below the folder that was chosen, which is its key: sent again, it is replaced. */
export const pathOf = (file: File): string => file.webkitRelativePath || file.name

/** Sends files one after the other, and tells of each how far it is. */
export async function uploadAll(
  client: AgentsDatastores,
  datastoreId: string,
  files: File[],
  tell: (upload: Upload) => void,
): Promise<void> {
  for (const file of files) {
    const name = pathOf(file)
    tell({ name, state: 'sending' })
    try {
      const stored = await client.uploadFile(datastoreId, { file, key: name })
      tell({ name, state: 'done', stored })
    } catch (error) {
      tell({ name, state: 'failed', error })
    }
  }
}
