import { basename, dirname, relative, resolve } from 'node:path'
import { placeOf, slashed } from './find-files.ts'
import type { Found } from './found-file.ts'
import { originOf } from './provenance.ts'
import type { StoredDocuments } from './stored-documents.ts'

/**
 * Files that are stored under other keys too, because a folder above or below was ingested before. Such a file has
 * two documents, and the older one is not updated.
 */
export function otherKeys(
  { files }: Found,
  stored: StoredDocuments,
): { of: string; key: string }[] {
  const folders = foldersOf(stored)
  const given = new Set(files.map(({ place }) => place))
  return files.flatMap(({ path, key }) => {
    const file = resolve(path)
    const others = foldersAbove(file)
      .map((above) => ({ above, place: placeOf(above) }))
      .filter(({ place }) => !given.has(place))
      .flatMap(({ above, place }) =>
        (folders.get(place) ?? []).map((folder) => {
          const prefix = folder.slice(0, folder.length - basename(above).length)
          return { place, key: `${prefix}${slashed(relative(above, file))}` }
        }),
      )
    const other = others.find(
      (one) => originOf(stored.get(one.key)?.metadata ?? null)?.place === one.place,
    )
    return other && other.key !== key ? [{ of: path, key: other.key }] : []
  })
}

/** The names of the folders that were ingested at each place. */
function foldersOf(stored: StoredDocuments): Map<string, string[]> {
  const folders = new Map<string, string[]>()
  for (const { metadata } of stored.values()) {
    const { place, folder } = originOf(metadata) ?? {}
    if (place === undefined || folder === undefined) continue
    const before = folders.get(place) ?? []
    if (!before.includes(folder)) folders.set(place, [...before, folder])
  }
  return folders
}

function foldersAbove(path: string): string[] {
  const above = dirname(path)
  return above === path ? [] : [above, ...foldersAbove(above)]
}
