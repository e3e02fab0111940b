import { UsageError } from '../failures.ts'
import { choiceOf } from './choice.ts'
import { standardInput } from './file-content.ts'
import { findFiles } from './find-files.ts'
import type { Found } from './found-file.ts'

/** Which of the files are taken, and what their keys begin with; of standard input the key. */
export type Given = { include?: string[]; exclude?: string[]; prefix?: string; as?: string }

/** @throws UsageError where standard input has no key, or is one of several */
export async function givenFiles(
  paths: string[],
  { as, prefix, include, exclude }: Given,
): Promise<Found> {
  if (!paths.includes(standardInput)) {
    if (as !== undefined) throw new UsageError('--as is the key of standard input, which is -.')
    return findFiles(paths, prefix ?? '', choiceOf(include, exclude))
  }
  if (paths.length > 1) throw new UsageError('Standard input is ingested by itself.')
  if (!as) throw new UsageError('Say --as and a key for what comes from standard input.')
  const file = { path: standardInput, key: as, folder: undefined, source: as }
  return { files: [file], keys: new Set([as]), unread: [] }
}
