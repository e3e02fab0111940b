import { link, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../errors.ts'
import { codeOf } from './errno.ts'

const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'])

/** LanceDB commits by a hard link, which only one of several writers can make. @throws StartupError */
export async function checkHardLinks(directory: string): Promise<void> {
  const file = join(directory, '.link-check')
  const second = `${file}-2`
  const clear = () => Promise.all([file, second].map((path) => rm(path, { force: true })))
  await clear()
  await writeFile(file, '')
  try {
    await link(file, second)
  } catch (cause) {
    if (!withoutLinks.has(codeOf(cause))) throw cause
    throw new StartupError(
      `DATA_URI ${directory} is on a file system without hard links (exFAT and mounted buckets have none), which the store needs. Give it another directory.`,
      { cause },
    )
  } finally {
    await clear()
  }
}
