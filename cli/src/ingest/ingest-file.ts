import { faultOfPath, messageOf } from '../messages.ts'
import { maxFileBytes, readContent } from './file-content.ts'
import type { FoundFile } from './found-file.ts'
import { isBuilt, isEmpty, isGzip, isWholeBook, mayHaveText } from './file-checks.ts'
import type { Outcome } from './outcome.ts'
import { isSame, keptOf, type Metadata, metadataOf, originOf } from './provenance.ts'
import type { StoredDocument, StoredDocuments } from './stored-documents.ts'
import type { Store } from './upload.ts'

/** How files are ingested: what is stored already, and what to do about it. */
export type Plan = {
  stored: StoredDocuments
  metadata: Metadata
  /** Whether to replace documents that were not put from this folder. */
  overwrite: boolean
  /** Whether to send unchanged files too. */
  again: boolean
  /** Undefined for a dry run. */
  store: Store | undefined
}

/** @throws errors that are not about this file alone */
export async function ingestFile(
  file: FoundFile,
  plan: Plan,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    return { of: file.path, ...(await outcomeOf(file, plan, signal)) }
  } catch (error) {
    if (isOfDisk(error)) {
      const reason = faultOfPath(error) ?? messageOf(error)
      return { of: file.path, kind: 'failed', reason, isUnread: true }
    }
    if (!(await plan.store?.isDocumentFailure(error, signal))) throw error
    return { of: file.path, kind: 'failed', reason: messageOf(error) }
  }
}

/** The client gives its own errors to what goes wrong with a connection. */
const isOfDisk = (error: unknown): boolean => error instanceof Error && 'syscall' in error

async function outcomeOf(
  file: FoundFile,
  { stored, metadata, overwrite, again, store }: Plan,
  signal: AbortSignal,
): Promise<Omit<Outcome, 'of'>> {
  const content = await readContent(file.path)
  if (!content) return failed(`is larger than ${maxFileBytes / 2 ** 20} MiB`)
  const wanted = metadataOf(file, content.sha256, metadata)
  const before = stored.get(file.key)
  if (before !== undefined) {
    const isUnchanged = !again && isSame(before.metadata, wanted)
    if (isUnchanged) return renamed(file, before, store, signal)
    const isOurs = originOf(before.metadata)?.folder === file.folder
    if (!overwrite && !isOurs) return failed(heldKey(file, before.metadata))
  }
  // In a folder there may be anything; a file that was given by itself was asked for.
  const leftOut = file.folder === undefined ? failed : ignored
  if (isEmpty(content.bytes)) return leftOut('is empty')
  if (file.folder !== undefined && isGzip(content.bytes)) {
    return ignored('is compressed (GZIP). Unpack it')
  }
  if (file.folder !== undefined && !mayHaveText(content.bytes)) {
    return ignored('is no text and no document')
  }
  if (file.folder !== undefined && isBuilt(file.path, content.bytes)) {
    return ignored('is minified code, a source map or a search index')
  }
  if (file.folder !== undefined && isWholeBook(file.path, content.bytes)) {
    return ignored('holds all pages of an mdBook again')
  }
  const all = { ...keptOf(before?.metadata ?? null), ...wanted }
  const name = nameOf(file, before)
  const refusal = await store?.upload({ ...file, name }, content, all, signal)
  if (refusal?.isText) return failed(`is not taken: ${refusal.reason}`)
  if (refusal) return leftOut(`is not taken: ${refusal.reason}`)
  return { kind: before === undefined ? 'new' : 'changed' }
}

/** The name of a file, unless somebody gave its document another. An earlier version left out the folders. */
const nameOf = ({ name }: FoundFile, before: StoredDocument | undefined): string =>
  before?.name && !name.endsWith(`/${before.name}`) ? before.name : name

async function renamed(
  file: FoundFile,
  before: StoredDocument,
  store: Store | undefined,
  signal: AbortSignal,
): Promise<Omit<Outcome, 'of'>> {
  const name = nameOf(file, before)
  if (before.name === name) return { kind: 'unchanged' }
  await store?.rename(before.id, name, signal)
  return { kind: 'changed' }
}

const failed = (reason: string): Omit<Outcome, 'of'> => ({ kind: 'failed', reason })
const ignored = (reason: string): Omit<Outcome, 'of'> => ({ kind: 'ignored', reason })

function heldKey({ key }: FoundFile, before: Metadata | null): string {
  const folder = originOf(before)?.folder
  const holder = folder === undefined ? 'a document' : `a file of another folder, ${folder}`
  return `has the key of ${holder}, "${key}": say --prefix, or --overwrite`
}
