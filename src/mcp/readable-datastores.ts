import type { Datastore, Datastores } from '../domain/datastores.ts'
import type { Caller } from '../domain/keys.ts'
import { NotFound, orUndefined } from '../errors/errors.ts'
import { type Choosable, chosenByName, wrong } from './chosen-by-name.ts'

/** Bounds what one call costs. */
const maxSearched = 32
/** Bounds how many names are compared. */
const maxNamed = 1_000

type Age = Pick<Datastore, 'createdAt' | 'id'>

/** What the tools of a caller may read. */
export type ReadableDatastores = {
  /** The one that an argument names; all without it. @throws InvalidRequest for none, several or too many */
  chosen(named: unknown): Promise<Datastore[]>
  /** As `chosen`, but only one. @throws InvalidRequest if none is named, although there are several */
  one(named: unknown): Promise<Datastore>
  /** @throws NotFound */
  byId(id: string): Promise<Datastore>
  /** The oldest, or the oldest after one. */
  first(limit: number, after?: Age): Promise<Datastore[]>
}

/** @throws NotFound for the endpoint's datastore */
export async function readableDatastores(
  datastores: Datastores,
  { workspace }: Caller,
  datastoreId: string | undefined,
): Promise<ReadableDatastores> {
  if (datastoreId !== undefined) {
    const datastore = await datastores.require(workspace, datastoreId)
    const own = async () => [datastore]
    const named = (name: unknown) => chosenByName('datastore', name, [toChoosable(datastore)])
    return {
      chosen: async (name) => (name === undefined ? own() : [named(name)]),
      one: async (name) => (name === undefined ? datastore : named(name)),
      byId: async (id) => {
        if (id !== datastore.id) throw new NotFound('datastore', id)
        return datastore
      },
      first: async (_limit, after) => (after ? [] : own()),
    }
  }
  const named = async (name: unknown): Promise<Datastore> => {
    const isId = typeof name === 'string' && /^dst_\w{1,64}$/.test(name)
    const byId = isId && (await datastores.require(workspace, name).catch(orUndefined(NotFound)))
    if (byId) return byId
    const all = await datastores.first(workspace, maxNamed)
    return chosenByName('datastore', name, all.map(toChoosable))
  }
  return {
    first: (limit, after) => datastores.first(workspace, limit, after),
    byId: (id) => datastores.require(workspace, id),
    chosen: async (name) => {
      if (name !== undefined) return [await named(name)]
      const all = await datastores.first(workspace, maxSearched + 1)
      if (all.length > maxSearched) throw tooMany()
      return all
    },
    one: async (name) => {
      if (name !== undefined) return named(name)
      const all = await datastores.first(workspace, maxNamed)
      return chosenByName('datastore', name, all.map(toChoosable))
    },
  }
}

const toChoosable = (datastore: Datastore): Choosable & Datastore => ({
  ...datastore,
  name: datastore.value.name,
})

const tooMany = () =>
  wrong(
    'datastore',
    `is required, because there are more than ${maxSearched}; list_datastores has their names`,
  )
