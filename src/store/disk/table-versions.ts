import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const ending = '.lance'

/** Manifests are named by their version counted down from this number. */
const countedFrom = 2n ** 64n - 1n

/** Where a table of a local directory is kept. */
export const folderOf = (directory: string, table: string): string =>
  join(directory, table + ending)

/** Where the manifests of a table are. */
export const manifestsFolderOf = (directory: string, table: string): string =>
  join(folderOf(directory, table), '_versions')

/** The newest version of each table of a local directory, without opening it; 0 where it has none. */
export async function newestVersions(directory: string): Promise<Map<string, number>> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(ending))
  const tables = names.map((name) => name.slice(0, -ending.length))
  const versions = new Map<string, number>()
  for (const table of tables) versions.set(table, await newestVersion(directory, table))
  return versions
}

async function newestVersion(directory: string, table: string): Promise<number> {
  const names = await readdir(manifestsFolderOf(directory, table)).catch(unlessMissing)
  const first = names.filter((name) => /^\d+\.manifest$/.test(name)).toSorted()[0]
  return first === undefined ? 0 : Number(countedFrom - BigInt(first.split('.')[0]!))
}

function unlessMissing(cause: NodeJS.ErrnoException): string[] {
  if (cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR') throw cause
  return []
}
