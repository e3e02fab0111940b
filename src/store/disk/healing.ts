import type { Connection, Table } from '@lancedb/lancedb'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../errors.ts'
import { waysOut } from './damage.ts'
import { isTorn, translated } from '../lance/faults.ts'
import { dropTornIndexes } from '../indexes/fragment-indexes.ts'
import { folderOf } from './table-versions.ts'

/** Where the manifests of torn versions are kept, beside those of the table. */
export const tornFolder = '_torn'

/** Manifests are named by their version counted down from the largest number, so the newest is first. */
const firstManifest = '18446744073709551614.manifest'

export type Whole = { table: Table; torn: string[] }

/**
 * Opens a table of a local directory at its newest whole version. A power cut can leave the newest
 * with files that are empty, cut short or missing; nobody was told that those are stored.
 * @param mostTorn how many versions a power cut can leave torn; more are damage of another kind, and
 * what was acknowledged would be lost with them
 * @returns undefined when there is no table, or one whose making was cut short
 * @throws when there is no such version, or on any other fault; nothing is changed then
 */
export async function openWhole(
  connection: Connection,
  directory: string,
  name: string,
  mostTorn: number,
): Promise<Whole | undefined> {
  const folder = folderOf(directory, name)
  const manifests = await manifestsOf(folder)
  const torn: string[] = []
  try {
    for (const manifest of manifests) {
      const table = await openAndRead(connection, name)
      if (table) return { table, torn }
      if (torn.length === mostTorn) throw beyondRepair(directory, name)
      await move(folder, manifest, '_versions', tornFolder)
      torn.push(manifest)
    }
    if (manifests.every((manifest) => manifest === firstManifest)) return undefined
    throw beyondRepair(directory, name)
  } catch (error) {
    for (const manifest of torn) await move(folder, manifest, tornFolder, '_versions')
    throw error
  }
}

function beyondRepair(directory: string, name: string): StartupError {
  const folder = folderOf(directory, name)
  return new StartupError(
    `The table ${name} is damaged, and not as a power cut leaves it: more would be lost than what nobody was told is stored. Restore ${folder} from a copy, or start once with DURABILITY=os to go back to its newest whole version, if there is one. ${waysOut(directory, name)}`,
  )
}

/** The table, if every file of its newest version is there and can be read; counting opens none. */
async function openAndRead(connection: Connection, name: string): Promise<Table | undefined> {
  let table: Table | undefined
  try {
    table = await connection.openTable(name)
    for await (const batch of table.query().select(['id'])) void batch
    await dropTornIndexes(table)
    return table
  } catch (cause) {
    table?.close()
    if (isTorn(cause)) return undefined
    return translated(Promise.reject(cause))
  }
}

async function manifestsOf(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, '_versions')).catch(unlessMissing)
  return names.filter((name) => name.endsWith('.manifest')).toSorted()
}

function unlessMissing(cause: NodeJS.ErrnoException): string[] {
  if (cause.code !== 'ENOENT') throw cause
  return []
}

async function move(folder: string, manifest: string, from: string, to: string): Promise<void> {
  await mkdir(join(folder, to), { recursive: true })
  await rename(join(folder, from, manifest), join(folder, to, manifest))
}
