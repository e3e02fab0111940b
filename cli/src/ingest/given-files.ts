import { CommandFailed, UsageError } from '../failures.ts'
import { chosenBy } from './file-patterns.ts'
import { standardInput } from './file-content.ts'
import { findFiles } from './find-files.ts'
import { type Found, toName } from './found-file.ts'

/** Which files are ingested, what their keys begin with, and the key of standard input. */
export type Given = { include?: string[]; exclude?: string[]; prefix?: string; as?: string }

export const nothingDone = 'nothing is ingested, and nothing deleted.'

/** @throws CommandFailed if there is no file, UsageError if standard input has no key or is not alone */
export async function givenFiles(
  paths: string[],
  { as, prefix, include, exclude }: Given,
): Promise<Found> {
  if (!paths.includes(standardInput)) {
    if (as !== undefined) throw new UsageError('--as is the key of standard input, which is -.')
    const found = await findFiles(paths, prefix ?? '', chosenBy(include, exclude))
    const [unread] = found.unread
    if (found.keys.size === 0 && unread) {
      throw new CommandFailed(`${unread.path} ${unread.reason}: ${nothingDone}`)
    }
    if (found.files.length === 0 && !unread) {
      const why = found.keys.size > 0 ? 'No file matches' : 'There is no file'
      throw new CommandFailed(`${why}: ${nothingDone}`)
    }
    return found
  }
  if (paths.length > 1) throw new UsageError('Standard input is ingested by itself.')
  if (!as) throw new UsageError('Say --as and a key for what comes from standard input.')
  if (include || exclude) {
    throw new UsageError('--include and --exclude choose files; standard input is none.')
  }
  const key = `${prefix ?? ''}${as}`
  const file = {
    path: standardInput,
    key,
    name: toName(lastOf(key)),
    folder: undefined,
    place: undefined,
    source: key,
  }
  return { files: [file], keys: new Set([key]), unread: [] }
}

const lastOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1)
