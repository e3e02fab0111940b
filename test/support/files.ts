import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The files of a directory, with the digests of their content. */
export async function filesOf(directory: string): Promise<Map<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const contents = files.map(async (file) => {
    return [
      file.slice(directory.length + 1),
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ] as const
  })
  return new Map((await Promise.all(contents)).toSorted())
}
