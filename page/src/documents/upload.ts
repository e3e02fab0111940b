import type { AgentsDatastores, DatasourceSummary, Metadata } from '../../../client/src/index.ts'
import { metadataOf } from '../shared/pairs.ts'

/** A file on its way, and what came of it. */
export type Upload = {
  name: string
  state: 'waiting' | 'sending' | 'done' | 'failed'
  stored?: DatasourceSummary
  error?: unknown
}

/** `metadata` is what the user typed: one `key = value` a line. Every document that is put in gets it. */
export type AddProps = { datastoreId: string; metadata: string; onChange: () => void }

/** @throws Error if a line is not `key = value` */
export function withMetadata(lines: string): { metadata?: Metadata } {
  const metadata = metadataOf(lines)
  return metadata ? { metadata } : {}
}

/** The path of a file below the folder that was chosen, which is its key: sent again, it is replaced. */
export const pathOf = (file: File): string => file.webkitRelativePath || file.name

/** Sends files one after the other, and tells of each how far it is. */
export async function uploadAll(
  to: { client: AgentsDatastores; datastoreId: string; metadata?: Metadata },
  files: File[],
  tell: (upload: Upload) => void,
): Promise<void> {
  const { client, datastoreId, ...given } = to
  for (const file of files) {
    const name = pathOf(file)
    tell({ name, state: 'sending' })
    try {
      const stored = await client.uploadFile(datastoreId, { file, key: name, ...given })
      tell({ name, state: 'done', stored })
    } catch (error) {
      tell({ name, state: 'failed', error })
    }
  }
}

/** The files that were dropped, and those of dropped folders. */
export async function droppedFiles(data: DataTransfer): Promise<File[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  return (await Promise.all(entries.map(filesOf))).flat()
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) return [await fileOf(entry as FileSystemFileEntry)]
  const all = await entriesOf((entry as FileSystemDirectoryEntry).createReader())
  return (await Promise.all(all.map(filesOf))).flat()
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** A reader gives a folder's entries in parts, and an empty one at the end. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
    reader.readEntries(resolve, reject),
  )
  return part.length === 0 ? [] : [...part, ...(await entriesOf(reader))]
}
