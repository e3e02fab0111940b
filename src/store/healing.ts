import type { Connection, Table } from '@lancedb/lancedb'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../log.ts'
import { isPassing } from './faults.ts'

/** Manifests are named by their version counted down from the largest number, so the newest is first. */
const firstManifest = '18446744073709551614.manifest'

/**
 * Opens a table of a local directory at its newest whole version. A power cut can leave the newest
 * with files that are empty, cut short or missing; nobody was told that those are stored. The
 * manifests of torn versions are kept beside the table, in `_torn`.
 * @returns undefined when there is no table, or one whose making was cut short
 * @throws when the table has versions and none is whole; nothing is changed then
 */
export async function openWhole(
  connection: Connection,
  directory: string,
  name: string,
  log: Log,
): Promise<Table | undefined> {
  const folder = join(directory, `${name}.lance`)
  const manifests = await manifestsOf(folder)
  const torn: string[] = []
  try {
    for (const manifest of manifests) {
      const table = await openAndRead(connection, name)
      if (table && torn.length > 0)
        log.warn({ table: name, torn }, 'a table went back to its newest whole version')
      if (table) return table
      await move(folder, manifest, '_versions', '_torn')
      torn.push(manifest)
    }
    if (manifests.every((manifest) => manifest === firstManifest)) return undefined
    throw new Error(`No version of the table ${name} is whole.`)
  } catch (error) {
    for (const manifest of torn) await move(folder, manifest, '_torn', '_versions')
    throw error
  }
}

/** The table, if every file of its newest version is there and can be read; counting opens none. */
async function openAndRead(connection: Connection, name: string): Promise<Table | undefined> {
  let table: Table | undefined
  try {
    table = await connection.openTable(name)
    for await (const batch of table.query().select(['id'])) void batch
    return table
  } catch (cause) {
    table?.close()
    if (isPassing(cause)) throw cause
    return undefined
  }
}

async function manifestsOf(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, '_versions')).catch(() => [])
  return names.filter((name) => name.endsWith('.manifest')).toSorted()
}

async function move(folder: string, manifest: string, from: string, to: string): Promise<void> {
  await mkdir(join(folder, to), { recursive: true })
  await rename(join(folder, from, manifest), join(folder, to, manifest))
}
