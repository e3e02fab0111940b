import { type AgentsDatastores, ProblemError } from '../../../client/src/index.ts'
import { concurrently } from '../concurrently.ts'
import type { Found, FoundFile } from './found-file.ts'
import { ingestFile, type Plan } from './ingest-file.ts'
import type { Outcome } from './outcome.ts'
import { maxRetries } from './upload.ts'

type Work = { concurrency: number; signal: AbortSignal; tell: (outcome: Outcome) => void }

/** Makes a datastore hold the files as they are, and reports the outcome of each. */
export async function ingest(found: Found, plan: Plan, work: Work): Promise<void> {
  for (const { path, reason } of found.unread) work.tell({ kind: 'failed', of: path, reason })
  const { files, collisions } = withoutCollisions(found.files)
  for (const collision of collisions) work.tell(collision)
  await concurrently(files, work, async (file, signal) => {
    const outcome = await ingestFile(file, plan, signal)
    // The document of a file without text is treated as gone.
    if (outcome.kind === 'ignored') found.keys.delete(file.key)
    if (outcome.isUnread) found.unread.push({ path: file.path, reason: outcome.reason ?? '' })
    work.tell(outcome)
  })
}

/**
 * Throws if the datastore was made with another embedding model than the server's. Without this, a run that
 * uploads nothing would report success. Other errors are left to what follows. @throws ProblemError
 */
export async function refuseOtherModel(
  client: AgentsDatastores,
  datastoreId: string,
  signal: AbortSignal,
): Promise<void> {
  const query = { query: 'model', mode: 'vector', topK: 1 } as const
  try {
    await client.queryDatastore(datastoreId, query, { signal })
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'embedding_model_mismatch') throw error
  }
}

/**
 * Deletes the documents of files that are gone, unless a folder or a file could not be read: then nobody
 * knows which are gone. @returns whether it did
 */
export async function deleteGone(
  { unread }: Found,
  gone: string[],
  work: Work,
  remove: (key: string, signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  if (unread.length > 0) return false
  await concurrently(gone, work, async (key, signal) => {
    await remove(key, signal)
    work.tell({ kind: 'deleted', of: key })
  })
  return true
}

/** Ignores documents that somebody else has deleted meanwhile. */
export const removerOf =
  (client: AgentsDatastores, datastoreId: string) =>
  async (key: string, signal: AbortSignal): Promise<void> => {
    try {
      await client.deleteDocument(datastoreId, key, { signal, maxRetries })
    } catch (error) {
      if (!(error instanceof ProblemError && error.status === 404)) throw error
    }
  }

/** The files with a key of their own, and a failure for each whose key is another file's. */
function withoutCollisions(files: FoundFile[]): {
  files: FoundFile[]
  collisions: Outcome[]
} {
  const first = new Map<string, FoundFile>()
  const collisions: Outcome[] = []
  for (const file of files) {
    const holder = first.get(file.key)
    if (!holder) first.set(file.key, file)
    else if (holder.path !== file.path) collisions.push(collision(file, holder))
  }
  return { files: [...first.values()], collisions }
}

const collision = ({ path, key }: FoundFile, holder: FoundFile): Outcome => ({
  kind: 'failed',
  of: path,
  reason: `has the key of ${holder.path}, "${key}": ingest one of them by itself with --prefix`,
})
