import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { StartupError } from '../../src/errors.ts'
import { damageFile, type Part, replaceTable } from '../support/damages.ts'
import { Random } from '../support/random.ts'
import { openServer } from '../support/server.ts'
import { query } from '../support/things.ts'
import { copyOf, type Ids, idsOf, wholeStore } from '../support/whole-store.ts'

const { directory, older, datastores, ids } = await wholeStore()
const fragments = `fragments_${datastores[0]}`
const tables = ['datastores', 'agents', 'keys', 'knowledge', 'messages', 'store', fragments]
const { DAMAGE_SEEDS } = process.env
const seeds = Array.from({ length: Number(DAMAGE_SEEDS ?? 1) }, (_, index) => index + 1)
/** Tables of records are damaged alike, so that one stands for all unless all are asked for. */
const isDamaged = (table: string) =>
  DAMAGE_SEEDS !== undefined || ['datastores', fragments].includes(table)
const partsOf = (table: string): Part[] =>
  table === fragments ? ['data', '_versions', '_indices'] : ['data', '_versions']

/** Starts on a store and reads all of it: what was told as a warning or worse, and what there is. */
async function startOn(dataUri: string): Promise<{ told: string; ids: Ids | undefined }> {
  const started = await openServer({ dataUri }).catch((error: unknown) => {
    expect(error).toBeInstanceOf(StartupError)
    return String(error)
  })
  if (typeof started === 'string') return { told: started, ids: undefined }
  const found = await idsOf(started.client, datastores)
  await started.close()
  const told = started.logged.filter(({ level }) => Number(level) > 30)
  return { told: JSON.stringify(told), ids: found }
}

/** Nothing but what was damaged is missing, it is told with the way out, and once undone all is there. */
async function expectKept(damaged: string, table: string, isTold = false): Promise<void> {
  const { told, ids: found } = await startOn(damaged)
  if (isTold || JSON.stringify(found) !== JSON.stringify(ids)) {
    expect(told).toContain(table)
    expect(told).toMatch(/newest copy|from a copy/)
  }
  await replaceTable(damaged, table, directory)
  expect((await startOn(damaged)).ids).toEqual(ids)
}

describe.each(tables)('%s', (table) => {
  test('is missing: told, and all is there once it is put back', async () => {
    const damaged = await copyOf(directory)
    await rm(join(damaged, `${table}.lance`), { recursive: true })
    await expectKept(damaged, table, true)
  })

  test.runIf(isDamaged(table))(
    'is older: told, and all is there once the newest is put back',
    async () => {
      const damaged = await copyOf(directory)
      await replaceTable(damaged, table, older)
      // All that is in this one is which format the others have.
      await expectKept(damaged, table, table !== 'store')
    },
  )

  const cases = partsOf(table).flatMap((part) => seeds.map((seed) => ({ part, seed })))
  test.runIf(isDamaged(table)).each(cases)(
    'has bytes of $part changed (seed $seed): nothing else is lost',
    async ({ part, seed }) => {
      const damaged = await copyOf(directory)
      await damageFile(join(damaged, `${table}.lance`), part, new Random(seed))
      await expectKept(damaged, table)
    },
  )
})

test('a damaged table of agents keeps nobody from documents', async () => {
  const damaged = await copyOf(directory)
  // Of its newest file no byte is what it was.
  await damageFile(join(damaged, 'agents.lance'), 'data', new Random(1), true)
  const { client, close, logged } = await openServer({ dataUri: damaged })
  const found = await idsOf(client, datastores)
  const others = Object.entries(ids).filter(([what]) => !what.includes(' of '))
  expect(found).toEqual({ ...Object.fromEntries(others), agents: 503 })
  expect((await query(client, datastores[0]!, { query: 'text' })).length).toBe(5)
  expect(JSON.stringify(logged)).toMatch(
    /The table agents .*move \S*agents\.lance (of DATA_URI )?away/,
  )
  await close()
})

test.each(seeds)('a damaged table of keys lets nobody in (seed %i)', async (seed) => {
  const damaged = await copyOf(directory)
  await damageFile(join(damaged, 'keys.lance'), 'data', new Random(seed), true)
  await expect(openServer({ dataUri: damaged })).rejects.toThrow(
    /The table keys .*"npm run -s cli -- keys create"/,
  )
})

test('a whole store that is put back together is no older than it was', async () => {
  expect(await startOn(await copyOf(older))).toMatchObject({ told: '[]' })
})

test('every start says that a table is older, until it is newer', async () => {
  const damaged = await copyOf(directory)
  await replaceTable(damaged, 'datastores', older)
  for (let start = 0; start < 3; start++) {
    expect((await startOn(damaged)).told).toContain('The table datastores is older than it was')
  }
})
