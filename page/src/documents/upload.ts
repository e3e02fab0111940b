import {
  type AgentsDatastores,
  ConnectionError,
  type DatasourceSummary,
  type Metadata,
  ProblemError,
} from '../../../client/src/index.ts'
import { metadataOf } from '../shared/metadata-pairs.ts'

/** A file and its path below the folder that was chosen or dropped: its key, by which it is replaced later. */
export type Found = { path: string; file: File }

/** A file on its way, and what came of it. */
export type Upload = Found & {
  metadata?: Metadata
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'refused'
  stored?: DatasourceSummary
  error?: unknown
}

export const isOver = ({ state }: Upload): boolean => state !== 'waiting' && state !== 'sending'

/**
 * What the user typed: one `key = value` a line. Every document that is put in gets it.
 * @throws Error if a line is something else
 */
export function withMetadata(lines: string): { metadata?: Metadata } {
  const metadata = metadataOf(lines)
  return metadata ? { metadata } : {}
}

export const foundIn = (files: Iterable<File>): Found[] =>
  Array.from(files, (file) => ({ path: file.webkitRelativePath || file.name, file }))

/** Refuses the second of two files with one path, which would replace the first. */
export function uploadsOf(found: Found[], given: { metadata?: Metadata } = {}): Upload[] {
  const taken = new Set<string>()
  return found.map((one) => {
    if (taken.has(one.path)) {
      const error = new Error('Another of these files has this path. Put this one in by itself.')
      return { ...one, ...given, state: 'refused', error }
    }
    taken.add(one.path)
    return { ...one, ...given, state: 'waiting' }
  })
}

type Target = { client: AgentsDatastores; datastoreId: string; signal: AbortSignal }

/** Sends the waiting uploads one after the other, and reports the state of each. */
export async function uploadAll(
  { client, datastoreId, signal }: Target,
  uploads: Upload[],
  tell: (upload: Upload) => void,
): Promise<void> {
  for (const { path, file, metadata } of uploads.filter((one) => !isOver(one))) {
    if (signal.aborted) return
    const sent = { path, file, ...(metadata && { metadata }) }
    tell({ ...sent, state: 'sending' })
    try {
      const { path: key, ...body } = sent
      const stored = await client.uploadFile(datastoreId, { ...body, key }, {}, { signal })
      tell({ ...sent, state: 'done', stored })
    } catch (error) {
      const state = isOfFile(error) ? 'refused' : 'failed'
      tell({ ...sent, state, error: await reasonOf(error, file) })
    }
  }
}

/** Whether the file itself is at fault, so that it is in vain to send it again: it is too large, of no kind that is read, or has no text. */
const isOfFile = (error: unknown): boolean =>
  error instanceof ProblemError && [413, 415, 422].includes(error.status)

/** A browser reports an unreachable server and a missing file alike. */
function reasonOf(error: unknown, file: File): unknown {
  if (!(error instanceof ConnectionError)) return error
  const words =
    'This file cannot be read any more: it was changed, moved or deleted. Choose it again.'
  // A slice of a file that is gone is empty, and no error.
  const reader = file.stream().getReader()
  return reader.read().then(
    () => reader.cancel().then(() => error),
    () => new Error(words),
  )
}

/** The files that were dropped, and those of dropped folders. */
export async function droppedFiles(data: DataTransfer): Promise<Found[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  return (await Promise.all(entries.map(filesOf))).flat()
}

async function filesOf(entry: FileSystemEntry): Promise<Found[]> {
  if (entry.isFile) {
    // What was dropped has no `webkitRelativePath`.
    return [{ path: entry.fullPath.slice(1), file: await fileOf(entry as FileSystemFileEntry) }]
  }
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
