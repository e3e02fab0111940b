import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { currentFormat } from '../../../src/store/fragments/formats.ts'
import { Random, roundsFor } from '../../support/random.ts'
import { checkedClient, temporaryDirectory } from '../../support/server.ts'
import { type ServerProcess, type SpawnOptions, spawnServer } from '../../support/server-process.ts'
import { canTrace, tracedTo } from '../../support/strace.ts'
import { copyOf } from '../../support/whole-store.ts'
import { contentsOf } from './contents.ts'
import {
  contents,
  embedded,
  formatOf,
  holders,
  lackingColumns,
  library,
  manuals,
  unpack,
} from './old-store.ts'

const { rounds, seed } = roundsFor('UPGRADE', 1)
const isDeep = process.env.UPGRADE_ROUNDS !== undefined
const lackedByOld = 2
const roundMilliseconds = 60_000

const started: ServerProcess[] = []
afterEach(async () => {
  for (const server of started.splice(0)) await server.kill('SIGKILL')
})

async function start(directory: string, options: SpawnOptions = {}): Promise<ServerProcess> {
  const server = await spawnServer({ DATA_URI: directory, INITIAL_KEY: 'x'.repeat(32) }, options)
  started.push(server)
  return server
}

let old = ''
beforeAll(async () => {
  old = await unpack()
})

/** A start that nobody kills: how many milliseconds it takes, and what it calls. */
type Whole = { milliseconds: number; trace: string }

/** As many of each as an upgrade makes at least. */
const fewestCalls = 4

/** Of the calls that one thread makes, for that is how they are counted. */
const atCall =
  (name: string) =>
  (random: Random, { trace }: Whole): SpawnOptions => {
    const made = Array.from(
      trace.matchAll(new RegExp(`^(\\d+) +${name}\\(`, 'gm')),
      ([, pid]) => pid,
    )
    const most = Math.max(
      fewestCalls,
      ...[...Map.groupBy(made, (pid) => pid).values()].map(({ length }) => length),
    )
    return { wrapper: tracedTo('/dev/null', { calls: name, n: 1 + random.below(most) }) }
  }

/** Where a kill is to come. */
const points: Record<string, (random: Random, whole: Whole) => SpawnOptions> = {
  ...(canTrace && { 'before a commit': atCall('link') }),
  'at any moment': (random, { milliseconds }) => ({ killAfter: 1 + random.below(milliseconds) }),
  ...(canTrace && {
    'before a file is synced': atCall('fsync'),
    'before a file is deleted': atCall('unlink'),
  }),
}
const names = Object.keys(points)

/** All is there as it was. */
async function expectUpgraded(directory: string, server: ServerProcess): Promise<void> {
  const clientOf = (key: string) => checkedClient(server.url, key)
  expect(await contentsOf(holders, clientOf)).toEqual(contents)
  await server.kill('SIGKILL')
  for (const id of [library, embedded, manuals]) expect(await lackingColumns(directory, id)).toBe(0)
  expect(await formatOf(directory)).toEqual({ format: currentFormat })
}

/** Undefined where the server was killed. @throws where it stopped by itself */
async function startUnlessKilled(
  directory: string,
  options: SpawnOptions,
): Promise<ServerProcess | undefined> {
  try {
    return await start(directory, options)
  } catch (error) {
    const lines = (error as Error).message.split('\n')
    expect(lines.filter((line) => line !== '' && !/^\{"level":[1-4]0,/.test(line))).toEqual([])
    return undefined
  }
}

async function wholeStart(): Promise<Whole> {
  const directory = await copyOf(old)
  const began = performance.now()
  const file = join(await temporaryDirectory(), 'trace')
  const server = await start(directory, canTrace ? { wrapper: tracedTo(file) } : {})
  const milliseconds = performance.now() - began
  await expectUpgraded(directory, server)
  return { milliseconds, trace: canTrace ? await readFile(file, 'utf8') : '' }
}

test(
  `${rounds} kills of a start that upgrades: nothing is lost, and the next one goes on`,
  { tags: 'deep', timeout: (3 * rounds + 4) * roundMilliseconds },
  async () => {
    const whole = isDeep ? await wholeStart() : { milliseconds: 1_000, trace: '' }
    let kills = 0
    let directory = await copyOf(old)
    for (let round = 0; kills < rounds && round < 3 * rounds; round++) {
      const random = new Random(seed + round)
      const name = names[round % names.length]!
      const server = await startUnlessKilled(directory, points[name]!(random, whole))
      if (!server) {
        kills += 1
        // No older version reads by its rules what was changed.
        if ((await lackingColumns(directory, library)) === lackedByOld) continue
        expect(await formatOf(directory)).toMatchObject({ format: currentFormat })
        continue
      }
      // It came to the end before the kill, which may come yet.
      await server.kill('SIGKILL')
      await expectUpgraded(directory, await start(directory))
      await rm(directory, { recursive: true })
      directory = await copyOf(old)
    }
    await expectUpgraded(directory, await start(directory))
    expect(kills).toBe(rounds)
  },
)
