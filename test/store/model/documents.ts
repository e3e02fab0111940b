import * as fc from 'fast-check'
import * as sdk from '../../../generated/sdk.gen.ts'
import { answerOf, expectAnswer, notFound, ok } from './answer.ts'
import { conditionsOf, whileItFails } from './embedding.ts'
import { perform, type Shelf, shownWhole, type Write } from './shelf.ts'
import { limit, number, sent, sources } from './values.ts'
import { find, ownOf, stepOf, target, type Who, whoever, type World } from './world.ts'
import { expectDatasources, readBack, send } from './writes.ts'

/** Sends a write and compares; nobody else writes meanwhile. */
export async function write(
  world: World,
  asker: Who,
  id: string,
  shelf: Shelf | undefined,
  change: Write,
  fails = false,
): Promise<void> {
  const answer = await whileItFails(world, fails, () => send(world.client(asker), id, change))
  if (!shelf) return expectAnswer(answer, notFound('datastore', id))
  expectAnswer(answer, perform(shelf, change, conditionsOf(world, fails), answer))
  await readBack(world, shelf)
}

/** Those of a datastore; another's, of the same workspace or not, must not be found in it. */
function findDocument(
  world: World,
  shelf: Shelf | undefined,
  { of, n }: { of: string; n: number },
) {
  const others = world.shelves.filter((other) => other !== shelf)
  const ids = (of === 'own' && shelf ? [shelf] : others).flatMap(({ documents }) =>
    documents.map((document) => document.id),
  )
  return ids[n % ids.length] ?? "no'document"
}

const place = fc.record({ asker: whoever, store: target, fails: fc.nat(9).map((n) => n < 2) })

/** The few keys come again and again, with the same documents and with others. */
const someKey = fc.option(fc.constantFrom('a', 'b', "o'c"), { nil: undefined })

export const upsert = stepOf(
  'upsert',
  fc.tuple(place, fc.array(sent, { maxLength: 4 }), someKey),
  async (world, [{ asker, store, fails }, documents, key]) => {
    const { id, thing } = find(world.shelves, asker, store)
    const change = { kind: 'upsert' as const, documents, ...(key !== undefined && { key }) }
    await write(world, asker, id, thing, change, fails)
    if (thing && key !== undefined) world.repeatable.push({ asker, shelf: thing, change })
  },
)

/** What was sent once is sent again, whatever became of it since. */
export const repeat = stepOf(
  'repeat',
  fc.tuple(number, fc.boolean()),
  async (world, [n, fails]) => {
    const again = world.repeatable[n % world.repeatable.length]
    if (!again) return
    const { asker, shelf, change } = again
    await write(world, asker, shelf.id, shelf.gone ? undefined : shelf, change, fails)
  },
)

export const update = stepOf(
  'update',
  fc.tuple(place, target, sent),
  async (world, [{ asker, store, fails }, wanted, document]) => {
    const { id, thing } = find(world.shelves, asker, store)
    const change = { kind: 'update' as const, id: findDocument(world, thing, wanted), document }
    await write(world, asker, id, thing, change, fails)
  },
)

export const deleteDatasource = stepOf(
  'deleteDatasource',
  fc.tuple(place, target),
  async (world, [{ asker, store }, wanted]) => {
    const { id, thing } = find(world.shelves, asker, store)
    const change = { kind: 'delete' as const, id: findDocument(world, thing, wanted) }
    await write(world, asker, id, thing, change)
  },
)

export const getDatasource = stepOf(
  'getDatasource',
  fc.tuple(place, target),
  async (world, [{ asker, store }, wanted]) => {
    const { id, thing } = find(world.shelves, asker, store)
    const datasourceId = findDocument(world, thing, wanted)
    const path = { id, datasourceId }
    const answer = await answerOf(sdk.getDatasource({ client: world.client(asker), path }))
    const kept = thing?.documents.find((document) => document.id === datasourceId)
    const missing = thing ? notFound('datasource', datasourceId) : notFound('datastore', id)
    expectAnswer(answer, kept ? ok(shownWhole(kept)) : missing)
  },
)

export const listDatasources = stepOf(
  'listDatasources',
  fc.tuple(whoever, number, limit, fc.option(fc.constantFrom(...sources), { nil: undefined })),
  async (world, [asker, n, size, source]) => {
    const shelves = ownOf(world.shelves, asker)
    const shelf = shelves[n % shelves.length]
    if (shelf) await expectDatasources(world, shelf, size, source)
  },
)
