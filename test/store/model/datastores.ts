import * as fc from 'fast-check'
import { expect } from 'vitest'
import * as sdk from '../../../generated/sdk.gen.ts'
import type { Datastore } from '../../../generated/types.gen.ts'
import { answerOf, expectAnswer, notFound, ok } from './answer.ts'
import { conditionsOf } from './embedding.ts'
import { expectList } from './lists.ts'
import { shownShelf } from './shelf.ts'
import { limit, someName } from './values.ts'
import { find, ownOf, stepOf, target, type Who, whoever, type World } from './world.ts'

export const expectDatastores = (world: World, asker: Who, size: number): Promise<void> =>
  expectList(
    (query) => sdk.listDatastores({ client: world.client(asker), query }),
    size,
    ownOf(world.shelves, asker).map(shownShelf),
  )

export async function makeShelf(world: World, asker: Who, ownName: string): Promise<void> {
  const body = { name: ownName || 'Datastore' }
  const answer = await answerOf(sdk.createDatastore({ client: world.client(asker), body }))
  const { id, createdAt } = answer.body as Datastore
  const { model, isModel } = conditionsOf(world, false)
  const made = { embeddingModel: model, dimensions: isModel ? 5 : 1024, fragmentLength: 2_000 }
  const shown = { ...body, description: '', ...made, createdAt }
  const shelf = { id, who: asker, gone: false, shown, documents: [] }
  expectAnswer(answer, { status: 201, body: shownShelf(shelf) })
  expect(answer.headers.get('location')).toBe(`/datastores/${id}`)
  world.shelves.push(shelf)
}

export const createDatastore = stepOf(
  'createDatastore',
  fc.tuple(whoever, someName),
  (world, [asker, ownName]) => makeShelf(world, asker, ownName),
)

export const getDatastore = stepOf(
  'getDatastore',
  fc.tuple(whoever, target),
  async (world, [asker, wanted]) => {
    const { id, thing } = find(world.shelves, asker, wanted)
    const answer = await answerOf(sdk.getDatastore({ client: world.client(asker), path: { id } }))
    expectAnswer(answer, thing ? ok(shownShelf(thing)) : notFound('datastore', id))
  },
)

export const listDatastores = stepOf(
  'listDatastores',
  fc.tuple(whoever, limit),
  (world, [asker, size]) => expectDatastores(world, asker, size),
)

export const updateDatastore = stepOf(
  'updateDatastore',
  fc.tuple(whoever, target, someName),
  async (world, [asker, wanted, name]) => {
    const { id, thing } = find(world.shelves, asker, wanted)
    const client = world.client(asker)
    const answer = await answerOf(sdk.updateDatastore({ client, path: { id }, body: { name } }))
    if (thing) thing.shown.name = name
    expectAnswer(answer, thing ? ok(shownShelf(thing)) : notFound('datastore', id))
  },
)

export const deleteDatastore = stepOf(
  'deleteDatastore',
  fc.tuple(whoever, target),
  async (world, [asker, wanted]) => {
    const { id, thing } = find(world.shelves, asker, wanted)
    const client = world.client(asker)
    const answer = await answerOf(sdk.deleteDatastore({ client, path: { id } }))
    expectAnswer(answer, thing ? ok(shownShelf(thing)) : notFound('datastore', id))
    if (thing) thing.gone = true
  },
)
