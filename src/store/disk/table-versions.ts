import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoring, ignoringMissing } from './errno.ts'

const ending = '.lance'

/** LanceDB counts names of manifests down from here, so that the newest sorts first. */
const countedFrom = 2n ** 64n - 1n

export const tornFolder = '_torn'

export const folderOf = (directory: string, table: string): string =>
  join(directory, table + ending)

export const manifestsFolderOf = (directory: string, table: string): string =>
  join(folderOf(directory, table), '_versions')

export async function manifestsOf(directory: string, table: string): Promise<string[]> {
  const names = await readdir(manifestsFolderOf(directory, table)).catch(ignoringMissing)
  return (names ?? []).filter((name) => /^\d+\.manifest$/.test(name)).toSorted()
}

export const versionOf = (manifest: string): number =>
  Number(countedFrom - BigInt(manifest.split('.')[0]!))

export async function tablesIn(directory: string): Promise<string[]> {
  const names = await readdir(directory)
  return names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length))
}

/** The newest version of each table by the names of its files, or 0. */
export async function newestVersions(directory: string): Promise<Map<string, number>> {
  const versions = new Map<string, number>()
  for (const table of await tablesIn(directory)) {
    const [newest] = (await manifestsOf(directory, table).catch(ignoring('ENOTDIR'))) ?? []
    versions.set(table, newest === undefined ? 0 : versionOf(newest))
  }
  return versions
}
