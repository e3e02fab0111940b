import type { Found } from './found-file.ts'
import { originOf } from './provenance.ts'
import type { StoredDocuments } from './stored-documents.ts'

/** Keys of documents that ingest put from folders of these names. */
export type Others = {
  /** Their file is not there any more, or has no text. */
  gone: string[]
  /** Their file is not chosen. */
  leftOut: string[]
  /** They came from another folder of the name. */
  elsewhere: string[]
}

/** Ignores a folder without any file, because it may be a disk that is not mounted. */
export function othersStored(stored: StoredDocuments, { files, keys }: Found): Others {
  const folders = new Set(files.map(({ folder }) => folder))
  const chosen = new Set(files.map(({ key }) => key))
  const ofFolders = [...stored].flatMap(([key, { metadata }]) => {
    const { folder, place } = originOf(metadata) ?? {}
    return folder !== undefined && folders.has(folder) ? [{ key, place }] : []
  })
  const [there, missing] = [true, false].map((isThere) =>
    ofFolders.filter(({ key }) => keys.has(key) === isThere),
  ) as [typeof ofFolders, typeof ofFolders]
  // An earlier version noted no places. A folder that was moved has documents of its former one.
  const places = new Set([undefined, ...[...files, ...there].map(({ place }) => place)])
  const keysOf = (some: typeof ofFolders) => some.map(({ key }) => key)
  return {
    gone: keysOf(missing.filter(({ place }) => places.has(place))),
    leftOut: keysOf(there).filter((key) => !chosen.has(key)),
    elsewhere: keysOf(missing.filter(({ place }) => !places.has(place))),
  }
}
