import { CommandFailed } from '../failures.ts'
import { readContent } from './file-content.ts'
import type { Found, FoundFile } from './found-file.ts'
import { nothingDone } from './given-files.ts'
import { type Origin, originOf } from './provenance.ts'
import type { StoredDocuments } from './stored-documents.ts'

/** A folder that was moved has at least so many of its files as they are stored. */
const minShareOfMoved = 0.5

/**
 * Two folders may have one name, and the second would replace the files of the first. So nothing is done where
 * all documents of a folder were put from elsewhere, and less than half of its files are like them.
 * @throws CommandFailed
 */
export async function refuseOtherFolders(
  { files }: Found,
  stored: StoredDocuments,
  mayDelete: boolean,
): Promise<void> {
  const all = ingested(stored)
  for (const folder of new Set(files.map((file) => file.folder))) {
    const own = files.filter((file) => file.folder === folder)
    const theirs = all.filter(({ origin }) => origin.folder === folder)
    const places = new Set<string | undefined>([undefined, ...own.map(({ place }) => place)])
    if (folder === undefined || theirs.some(({ origin }) => places.has(origin.place))) continue
    const keys = new Set(theirs.map(({ key }) => key))
    const wouldLose = mayDelete || own.some(({ key }) => keys.has(key))
    if (theirs.length === 0 || !wouldLose || (await isMoved(own, theirs))) continue
    throw new CommandFailed(
      `The documents of the folder ${folder} were put from another place, and most files here are not like them. ` +
        `If it is another folder of that name, say --prefix; if it is the same, --overwrite: ${nothingDone}`,
    )
  }
}

/** The folders under whose name documents of these folders are in as well, each with how many. */
export function otherPrefixes({ files }: Found, stored: StoredDocuments): Map<string, number> {
  const given = new Map(files.map(({ place, folder }) => [place, folder]))
  const origins = ingested(stored).map(({ origin }) => origin)
  const twice = origins.filter(
    ({ place, folder }) => place !== undefined && given.has(place) && given.get(place) !== folder,
  )
  const counts = new Map<string, number>()
  for (const { folder = '' } of twice) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  return counts
}

type Put = { key: string; origin: Origin }

const ingested = (stored: StoredDocuments): Put[] =>
  [...stored].flatMap(([key, { metadata }]) => {
    const origin = originOf(metadata)
    return origin ? { key, origin } : []
  })

async function isMoved(files: FoundFile[], theirs: Put[]): Promise<boolean> {
  const hashes = new Set(theirs.map(({ origin }) => origin.sha256))
  let alike = 0
  for (const { path } of files) {
    const content = await readContent(path).catch(() => undefined)
    if (content && hashes.has(content.sha256)) alike++
  }
  return alike >= minShareOfMoved * Math.min(files.length, theirs.length)
}
