import type { Found } from './found-file.ts'
import { originOf } from './provenance.ts'
import type { StoredDocuments } from './stored-documents.ts'

/**
 * The keys of documents that ingest put from one of the folders, and whose file is not there any more.
 * A folder without any file is left alone, for it may be a disk that is not mounted.
 */
export function goneDocuments(stored: StoredDocuments, { files, keys }: Found): string[] {
  const folders = new Set(files.flatMap(({ folder }) => folder ?? []))
  return [...stored]
    .filter(
      ([key, { metadata }]) => !keys.has(key) && folders.has(originOf(metadata)?.folder ?? ''),
    )
    .map(([key]) => key)
}
