import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcessesIn, isRunning } from './leftovers.ts'

const prefix = 'agents-datastores-tests-'
/** The second is where a process writes that was not told of the first. */
const places = [...new Set([tmpdir(), '/tmp'])].filter((place) => existsSync(place))

/**
 * All temporary folders of tests are in one, which goes with the last of them. What a run that was
 * killed left, its processes too, goes with the next run.
 */
export default async function temporaryRoot(): Promise<() => Promise<void>> {
  await removeLeftovers()
  const before = await entries()
  const root = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
  process.env.TMPDIR = root
  return async () => {
    // A stopping server waits two seconds for its work on tables, which may take longer on a busy machine.
    await rm(root, { recursive: true, force: true, maxRetries: 20 })
    const left = (await entries()).difference(before)
    if (left.size > 0) throw new Error(`Tests left ${[...left].join(', ')}.`)
  }
}

async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(prefix) && /^\d+(?=-)/.exec(name.slice(prefix.length))?.[0]
    if (!pid || isRunning(Number(pid))) continue
    const root = join(tmpdir(), name)
    await endProcessesIn(root)
    await rm(root, { recursive: true, force: true, maxRetries: 20 })
  }
}

/** Only our own names can be told from those of others. */
async function entries(): Promise<Set<string>> {
  const names = await Promise.all(
    places.map(async (place) => {
      const found = await readdir(place)
      return found
        .filter((name) => /^agents-datastores-(?!tests-|bench-)/.test(name))
        .map((name) => join(place, name))
    }),
  )
  return new Set(names.flat())
}
