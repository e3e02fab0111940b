import type { Datastore, Datastores } from '../domain/datastores.ts'
import type { Caller } from '../domain/keys.ts'
import { NotFound, orUndefined } from '../errors/errors.ts'
import type { PageCursor } from '../store/types.ts'
import { type Choosable, chosenByName } from './chosen-by-name.ts'
import { invalidArgument } from './arguments.ts'

/** Bounds what one call costs. */
const maxSearched = 32
/** Bounds how many names are compared. */
const maxNamed = 1_000

export type ReadableDatastores = {
  /** The one that an argument names; all without it. @throws InvalidRequest for none, several or too many */
  chosen(named: unknown): Promise<Datastore[]>
  /** As `chosen`, but only one. @throws InvalidRequest if none is named, although there are several */
  one(named: unknown): Promise<Datastore>
  /** @throws NotFound */
  byId(id: string): Promise<Datastore>
  /** The oldest, or the oldest after a cursor. */
  first(limit: number, after?: PageCursor): Promise<Datastore[]>
}

/** @throws NotFound for the endpoint's datastore */
export async function readableDatastores(
  datastores: Datastores,
  { workspace }: Caller,
  datastoreId: string | undefined,
): Promise<ReadableDatastores> {
  if (datastoreId !== undefined) return onlyOf(await datastores.require(workspace, datastoreId))
  return withChoice({
    byId: (id) => datastores.require(workspace, id),
    first: (limit, after) => datastores.first(workspace, limit, after),
  })
}

const onlyOf = (datastore: Datastore): ReadableDatastores =>
  withChoice({
    byId: async (id) => {
      if (id !== datastore.id) throw new NotFound('datastore', id)
      return datastore
    },
    first: async (_limit, after) => (after ? [] : [datastore]),
  })

function withChoice(read: Pick<ReadableDatastores, 'byId' | 'first'>): ReadableDatastores {
  const one = async (named: unknown): Promise<Datastore> => {
    const isId = typeof named === 'string' && /^dst_\w{1,64}$/.test(named)
    const byId = isId && (await read.byId(named).catch(orUndefined(NotFound)))
    if (byId) return byId
    const all = await read.first(maxNamed)
    return chosenByName('datastore', named, all.map(toChoosable))
  }
  const all = async (): Promise<Datastore[]> => {
    const some = await read.first(maxSearched + 1)
    if (some.length > maxSearched) throw tooMany()
    return some
  }
  return {
    ...read,
    one,
    chosen: async (named) => (named === undefined ? all() : [await one(named)]),
  }
}

const toChoosable = (datastore: Datastore): Choosable & Datastore => ({
  ...datastore,
  name: datastore.value.name,
})

const tooMany = () =>
  invalidArgument(
    'datastore',
    `is required, because there are more than ${maxSearched}; list_datastores has their names`,
  )
