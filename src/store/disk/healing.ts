import type { Table } from '@lancedb/lancedb'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../errors/errors.ts'
import { dropTornIndexes } from '../lance/fragment-indexes.ts'
import { isTorn, translated } from '../lance/faults.ts'
import { recoveryHints } from './damage.ts'
import { folderOf, manifestsOf, tornFolder, versionOf } from './table-versions.ts'

/** A power cut can have torn `maxTorn` versions at most, and none up to `durable`. */
type Tearable = { maxTorn: number; durable: number }

export type Whole = { table: Table; torn: string[] }

/**
 * Opens a table at its newest whole version. A power cut tears only versions that were not acknowledged.
 * @returns undefined if there is no table, or one whose making was cut short
 * @throws if more is torn than that; nothing is changed then
 */
export async function openWhole(
  open: () => Promise<Table>,
  directory: string,
  name: string,
  { maxTorn, durable }: Tearable,
): Promise<Whole | undefined> {
  const folder = folderOf(directory, name)
  const manifests = await manifestsOf(directory, name)
  const torn: string[] = []
  try {
    for (const manifest of manifests) {
      const table = await openAndRead(open)
      if (table) return { table, torn }
      // The newest version may always be dropped, because all before it stays.
      const isTearable = torn.length === 0 || versionOf(manifest) > durable
      if (!isTearable || torn.length === maxTorn) throw beyondRepair(directory, name)
      await move(folder, manifest, '_versions', tornFolder)
      torn.push(manifest)
    }
    if (manifests.every((manifest) => versionOf(manifest) === 1)) return undefined
    throw beyondRepair(directory, name)
  } catch (error) {
    for (const manifest of torn) await move(folder, manifest, tornFolder, '_versions')
    throw error
  }
}

function beyondRepair(directory: string, name: string): StartupError {
  return new StartupError(
    `The table ${name} is damaged, and not as a power cut leaves it: files that were safe on the disk cannot be read. ${recoveryHints(directory, name)} Or start once with DURABILITY=os to go back to its newest whole version, without what came later.`,
  )
}

/** Reads every file. Undefined if one of the newest version is torn. */
async function openAndRead(open: () => Promise<Table>): Promise<Table | undefined> {
  let table: Table | undefined
  try {
    table = await open()
    for await (const batch of table.query().select(['id'])) void batch
    await dropTornIndexes(table)
    return table
  } catch (cause) {
    table?.close()
    if (isTorn(cause)) return undefined
    return translated(Promise.reject(cause))
  }
}

async function move(folder: string, manifest: string, from: string, to: string): Promise<void> {
  await mkdir(join(folder, to), { recursive: true })
  await rename(join(folder, from, manifest), join(folder, to, manifest))
}
