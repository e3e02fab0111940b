import { isDeepStrictEqual } from 'node:util'
import type { FoundFile } from './found-file.ts'

export type Metadata = Record<string, unknown>

/** What ingest writes beside what it was told to: where a document comes from, and the hash of its file. */
export function metadataOf(file: FoundFile, sha256: string, given: Metadata): Metadata {
  const { folder, source } = file
  const ingest = folder === undefined ? { sha256 } : { folder, sha256 }
  return { source, ...given, ingest }
}

/** What somebody else gave a document; what ingest itself writes is always written anew. */
export function keptOf(stored: Metadata | null): Metadata {
  const { source: _source, ingest: _ingest, ...kept } = stored ?? {}
  return kept
}

/** Whether a document is what a file would be now. What the service added to its metadata does not count. */
export const isSame = (stored: Metadata | null, wanted: Metadata): boolean =>
  Object.entries(wanted).every(([name, value]) => isDeepStrictEqual(stored?.[name], value))

/** Whether ingest put a document, and from which folder; undefined where it did not. */
export function originOf(stored: Metadata | null): { folder: string | undefined } | undefined {
  const ingest = stored?.ingest
  if (typeof ingest !== 'object' || ingest === null || !('sha256' in ingest)) return undefined
  return { folder: 'folder' in ingest ? String(ingest.folder) : undefined }
}
