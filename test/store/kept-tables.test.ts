import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StartupError } from '../../src/errors/errors.ts'
import { damageFile, type Part, replaceTable } from '../support/damages.ts'
import { Random } from '../support/random.ts'
import { openServer } from '../support/server.ts'
import { query } from '../support/things.ts'
import { copyOf, type Ids, idsOf, wholeStore } from '../support/whole-store.ts'

const { directory, older, datastores, ids } = await wholeStore()
const fragments = datastores.map((id) => `fragments_${id}`)
const [first = ''] = fragments

const { DAMAGE_SEEDS } = process.env
const seeds = Array.from({ length: Number(DAMAGE_SEEDS ?? 1) }, (_, index) => index + 1)

/** What is damaged at once, each table in one part. */
type Damage = Record<string, Part>

/** Tables of records are damaged alike, so that one stands for all unless all are asked for. */
const damages: Damage[] = DAMAGE_SEEDS
  ? ['datastores', 'agents', 'keys', 'knowledge', 'messages', 'store', first].flatMap((table) =>
      partsOf(table).map((part) => ({ [table]: part })),
    )
  : [
      { datastores: 'data' },
      { datastores: '_versions' },
      Object.fromEntries(partsOf(first).map((part, index) => [fragments[index]!, part])),
    ]

function partsOf(table: string): Part[] {
  return table === first ? ['data', '_versions', '_indices'] : ['data', '_versions']
}

type Found = { told: string[]; ids: Ids | undefined }

/** Starts on a store and reads all of it: what was told as a warning or worse, and what there is. */
async function startOn(dataUri: string): Promise<Found> {
  const started = await openServer({ dataUri }).catch((error: unknown) => {
    expect(error).toBeInstanceOf(StartupError)
    return String(error)
  })
  if (typeof started === 'string') return { told: [started], ids: undefined }
  const found = await idsOf(started.client, datastores)
  await started.close()
  const told = started.logged.filter(({ level }) => Number(level) > 30)
  return { told: told.map((line) => JSON.stringify(line)), ids: found }
}

/** Each of these tables is told of, with the way out. */
function expectTold(tables: string[], { told }: Found): void {
  for (const table of tables) {
    const line = told.filter((one) => new RegExp(`\\b${table}\\b`).test(one)).join('\n')
    expect.soft(line, `of ${table}`).toMatch(/newest copy|from a copy/)
  }
}

/** Puts these tables back, and expects that all is there. */
async function expectAllBack(damaged: string, tables: string[]): Promise<void> {
  for (const table of tables) await replaceTable(damaged, table, directory)
  expect((await startOn(damaged)).ids).toEqual(ids)
}

const remove = (from: string, table: string) =>
  rm(join(from, `${table}.lance`), { recursive: true })

test(
  'tables that are missing are told of, and all is there once they are put back',
  { tags: 'deep' },
  async () => {
    const damaged = await copyOf(directory)
    // Nothing starts without one of these.
    for (const table of ['datastores', 'keys', 'store']) {
      await remove(damaged, table)
      const found = await startOn(damaged)
      expect.soft(found.ids, table).toBeUndefined()
      expectTold([table], found)
      await replaceTable(damaged, table, directory)
    }
    const others = ['agents', 'knowledge', 'messages', first]
    for (const table of others) await remove(damaged, table)
    expectTold(others, await startOn(damaged))
    await expectAllBack(damaged, others)
  },
)

test(
  'tables that are older are told of by every start, until the newest are put back',
  { tags: 'deep' },
  async () => {
    const damaged = await copyOf(directory)
    const tables = ['datastores', first]
    for (const table of tables) await replaceTable(damaged, table, older)
    for (let start = 0; start < 2; start++) {
      const found = await startOn(damaged)
      expectTold(tables, found)
      expect(String(found.told)).toContain('The table datastores is older than it was')
    }
    await expectAllBack(damaged, tables)
    expect((await startOn(damaged)).told).toEqual([])
  },
)

const cases = damages.flatMap((damage) => seeds.map((seed) => ({ damage, seed })))
test.each(cases)(
  'bytes that change in $damage (seed $seed) lose nothing else, and what they lose is told',
  { tags: 'deep' },
  async ({ damage, seed }) => {
    const damaged = await copyOf(directory)
    for (const [table, part] of Object.entries(damage)) {
      await damageFile(join(damaged, `${table}.lance`), part, new Random(seed))
    }
    const found = await startOn(damaged)
    const isOther = (table: string) => {
      const id = table.replace('fragments_', '')
      const of = datastores.includes(id) ? id : undefined
      return JSON.stringify(of ? found.ids?.[of] : found.ids) !== JSON.stringify(of ? ids[of] : ids)
    }
    expectTold(Object.keys(damage).filter(isOther), found)
    await expectAllBack(damaged, Object.keys(damage))
  },
)

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

test(
  'a whole store that is put back together is no older than it was',
  { tags: 'deep' },
  async () => {
    expect(await startOn(await copyOf(older))).toMatchObject({ told: [] })
  },
)
