import { CommandFailed } from '../failures.ts'
import { readContent } from './file-content.ts'
import type { Found, FoundFile } from './found-file.ts'
import { nothingDone } from './given-files.ts'
import { type Origin, originOf } from './provenance.ts'
import type { StoredDocuments } from './stored-documents.ts'

/** The least share of a moved folder's files that are as they are stored. */
const minShareOfMoved = 0.5

/**
 * Two folders may have one name, and a run for one would replace the files of the other, or delete them. So nothing
 * is done where all documents of a folder were put from elsewhere, and less than half of its files are like them.
 * @throws CommandFailed
 */
export async function refuseOtherFolders({ files }: Found, stored: StoredDocuments): Promise<void> {
  const all = ingested(stored)
  for (const folder of new Set(files.map((file) => file.folder))) {
    const own = files.filter((file) => file.folder === folder)
    const theirs = all.filter((origin) => origin.folder === folder)
    const places = new Set<string | undefined>([undefined, ...own.map(({ place }) => place)])
    if (folder === undefined || theirs.some(({ place }) => places.has(place))) continue
    if (theirs.length === 0 || (await isMoved(own, theirs))) continue
    throw new CommandFailed(
      `The documents of the folder ${folder} were put from another place, and most files here are not like them. ` +
        `If it is another folder of that name, say --prefix; if it is the same, --overwrite: ${nothingDone}`,
    )
  }
}

/** The folders under whose name documents of these folders are in as well, each with how many. */
export function otherPrefixes({ files }: Found, stored: StoredDocuments): Map<string, number> {
  const given = new Map(files.map(({ place, folder }) => [place, folder]))
  const twice = ingested(stored).filter(
    ({ place, folder }) => place !== undefined && given.has(place) && given.get(place) !== folder,
  )
  const counts = new Map<string, number>()
  for (const { folder = '' } of twice) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  return counts
}

const ingested = (stored: StoredDocuments): Origin[] =>
  [...stored.values()].flatMap(({ metadata }) => originOf(metadata) ?? [])

async function isMoved(files: FoundFile[], theirs: Origin[]): Promise<boolean> {
  const hashes = new Set(theirs.map(({ sha256 }) => sha256))
  let alike = 0
  for (const { path } of files) {
    const content = await readContent(path).catch(() => undefined)
    if (content && hashes.has(content.sha256)) alike++
  }
  return alike >= minShareOfMoved * Math.min(files.length, theirs.length)
}
