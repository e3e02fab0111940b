import type { Json } from '../support/contract.ts'
import type { Random } from '../support/random.ts'
import type { Draft } from './drafts.ts'

type Members = { [member: string]: Json }
type Fit = (body: Members, draft: Draft, random: Random) => Members

/** The body with ids in it that mean something: only the service knows which there are. */
export function fit(operationId: string, body: Json, draft: Draft, random: Random): Json {
  const change = fits[operationId]
  return change ? change(body as Members, draft, random) : body
}

const fits: Record<string, Fit> = {
  updateAgent: (body, { ids }, random) => ({
    ...without(body, 'id'),
    ...(random.chance(0.3) && { id: ids.id! }),
  }),
  updateDatasource: (body, { ids, caller }, random) => {
    const thing = caller.workspace.things.pick('datasource', random, ids.datastoreId)
    return { ...body, id: thing?.id ?? 'src_none' }
  },
  putKnowledge: (body, { caller }, random) => {
    const known = caller.workspace.things.all('datastore').map(({ id }) => id)
    const datastoreIds = known.filter(() => random.chance(0.5)).slice(0, 10)
    return { ...body, datastoreIds, ...withFilters(body, caller, random) }
  },
  queryAgent: (body, { ids, caller }, random) => {
    const rest = without(body, 'conversationId', 'visitorId')
    const known = caller.workspace.things.pick('conversation', random, ids.id)
    // A conversation is one visitor's.
    const whose: Members =
      known && random.chance(0.5) ? { conversationId: known.id } : visitor(body.visitorId)
    return { ...rest, ...whose, ...withFilters(body, caller, random) }
  },
  queryDatastore: (body, { caller }, random) => ({ ...body, ...withFilters(body, caller, random) }),
  createKey: (body, { caller }, random) => ({
    ...without(body, 'workspace'),
    ...(random.chance(0.2) && { workspace: caller.workspace.name }),
  }),
}

export const without = (members: Members, ...names: string[]): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))

const visitor = (visitorId: Json | undefined): Members =>
  visitorId === undefined ? {} : { visitorId }

/** Ids of its own among those made up, so that some filters find something. */
function withFilters(
  { filters }: Members,
  { workspace }: Draft['caller'],
  random: Random,
): Members {
  if (typeof filters !== 'object' || !random.chance(0.5)) return {}
  const known = workspace.things.pick('datasource', random)
  const others = without(filters as Members, 'custom_ids')
  return { filters: { ...others, datasource_ids: known ? [known.id] : [] } }
}
