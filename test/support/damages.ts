import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Random } from './random.ts'

/** Where a file of a table is damaged. */
export type Part = 'data' | '_versions' | '_indices'

/**
 * Bytes of one file of a table that are no longer what they were: one is flipped, or 64 are zeros.
 * @param wholly whether all bytes of all files are zeros instead, but the last few
 */
export async function damageFile(
  folder: string,
  part: Part,
  random: Random,
  wholly = false,
): Promise<void> {
  const entries = await readdir(join(folder, part), { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.json'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
  for (const file of wholly ? files : [random.pick(files)]) {
    const bytes = await readFile(file)
    if (wholly) bytes.fill(0, 0, bytes.length - 1 - random.below(64))
    else damage(bytes, random)
    await writeFile(file, bytes)
  }
}

function damage(bytes: Buffer, random: Random): void {
  const place = random.below(bytes.length)
  if (random.chance(0.5)) bytes.fill(0, place, Math.min(place + 64, bytes.length))
  else bytes[place] = bytes[place]! ^ (1 << random.below(8))
}

/** Puts a table of another copy of a store in the place of the one there is. */
export async function replaceTable(directory: string, table: string, from: string): Promise<void> {
  const folder = join(directory, `${table}.lance`)
  await rm(folder, { recursive: true, force: true })
  await cp(join(from, `${table}.lance`), folder, { recursive: true })
}
