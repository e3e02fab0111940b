import { maxLengths } from '../../../../generated/max-lengths.gen.ts'
import { isOfOne, messageOf } from '../messages.ts'
import { readContent } from './file-content.ts'
import type { FoundFile } from './found-file.ts'
import { isEmpty, mayHaveText } from './may-have-text.ts'
import type { Outcome } from './outcome.ts'
import { isSame, type Metadata, metadataOf, originOf } from './provenance.ts'
import type { StoredDocuments } from './stored-documents.ts'
import type { Upload } from './upload.ts'

/** How files are ingested: what is stored already, and what to do about it. */
export type Plan = {
  stored: StoredDocuments
  metadata: Metadata
  /** Whether documents are replaced that this folder did not put. */
  overwrite: boolean
  /** Undefined where nothing is to be done. */
  upload: Upload | undefined
}

/** @throws whatever failed not for this file alone */
export async function ingestFile(
  file: FoundFile,
  plan: Plan,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    return { of: file.path, ...(await outcomeOf(file, plan, signal)) }
  } catch (error) {
    const isRead = error instanceof Error && 'syscall' in error && 'path' in error
    if (!isOfOne(error) && !isRead) throw error
    return { of: file.path, kind: 'failed', reason: messageOf(error) }
  }
}

async function outcomeOf(
  file: FoundFile,
  { stored, metadata, overwrite, upload }: Plan,
  signal: AbortSignal,
): Promise<Omit<Outcome, 'of'>> {
  if (file.key.length > maxLengths.NewKey) return failed('has a path that is too long for a key')
  const content = await readContent(file.path)
  if (!content) return ignored('is too large')
  const wanted = metadataOf(file, content.sha256, metadata)
  const before = stored.get(file.key)
  if (before !== undefined) {
    if (isSame(before, wanted)) return { kind: 'unchanged' }
    if (!overwrite && originOf(before)?.folder !== file.folder) return failed(heldKey(file, before))
  }
  if (isEmpty(content.bytes)) return ignored('is empty')
  if (!mayHaveText(content.bytes)) return ignored('is no text and no document')
  const refusal = await upload?.(file, content, wanted, signal)
  if (refusal !== undefined) return ignored(`is not taken: ${refusal}`)
  return { kind: before === undefined ? 'new' : 'changed' }
}

const failed = (reason: string): Omit<Outcome, 'of'> => ({ kind: 'failed', reason })
const ignored = (reason: string): Omit<Outcome, 'of'> => ({ kind: 'ignored', reason })

function heldKey({ key }: FoundFile, before: Metadata | null): string {
  const folder = originOf(before)?.folder
  const holder = folder === undefined ? 'a document' : `a file of another folder, ${folder}`
  return `has the key of ${holder}, "${key}": say --prefix, or --overwrite`
}
