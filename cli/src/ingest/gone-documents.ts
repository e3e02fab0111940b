import type { Found } from './found-file.ts'
import { originOf } from './provenance.ts'
import type { StoredDocuments } from './stored-documents.ts'

/** Keys of documents that ingest put from one of the folders. */
export type Others = {
  /** Their file is not there any more, or has no text. */
  gone: string[]
  /** Their file is not chosen. */
  leftOut: string[]
}

/** A folder without any file is left alone, for it may be a disk that is not mounted. */
export function othersStored(stored: StoredDocuments, { files, keys }: Found): Others {
  const folders = new Set(files.flatMap(({ folder }) => folder ?? []))
  const chosen = new Set(files.map(({ key }) => key))
  const ofFolders = [...stored]
    .filter(([, { metadata }]) => folders.has(originOf(metadata)?.folder ?? ''))
    .map(([key]) => key)
  return {
    gone: ofFolders.filter((key) => !keys.has(key)),
    leftOut: ofFolders.filter((key) => keys.has(key) && !chosen.has(key)),
  }
}
