import { isDeepStrictEqual } from 'node:util'
import type { FoundFile } from './found-file.ts'

export type Metadata = Record<string, unknown>

/** The given metadata, with where a document comes from and the hash of its file. */
export function metadataOf(file: FoundFile, sha256: string, given: Metadata): Metadata {
  const { folder, place, source } = file
  const ingest = folder === undefined ? { sha256 } : { folder, place, sha256 }
  return { source, ...given, ingest }
}

/** The metadata that ingest did not write. */
export function keptOf(stored: Metadata | null): Metadata {
  const { source: _source, ingest: _ingest, ...kept } = stored ?? {}
  return kept
}

/**
 * Whether a document is what a file would be now, apart from metadata that the service added and the place of
 * the folder.
 */
export const isSame = (stored: Metadata | null, wanted: Metadata): boolean =>
  Object.entries(placeless(wanted)).every(([name, value]) =>
    isDeepStrictEqual(placeless(stored ?? {})[name], value),
  )

function placeless(metadata: Metadata): Metadata {
  const { ingest } = metadata
  if (!isObject(ingest)) return metadata
  const { place: _place, ...rest } = ingest
  return { ...metadata, ingest: rest }
}

export type Origin = {
  sha256: string
  folder: string | undefined
  /** Undefined also where an earlier version put the document. */
  place: string | undefined
}

/** Where ingest put a document from; undefined if it did not. */
export function originOf(stored: Metadata | null): Origin | undefined {
  const ingest = stored?.ingest
  if (!isObject(ingest) || typeof ingest.sha256 !== 'string') return undefined
  const { sha256, folder, place } = ingest
  return { sha256, folder: textOrNone(folder), place: textOrNone(place) }
}

const textOrNone = (value: unknown) => (typeof value === 'string' ? value : undefined)

const isObject = (value: unknown): value is Metadata => typeof value === 'object' && value !== null
