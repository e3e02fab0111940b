import { hostileIds } from '../../support/hostile-ids.ts'
import type { Random } from '../../support/random.ts'
import { without } from '../bodies.ts'
import type { Caller } from '../callers.ts'
import { type Draft, draftOf, toWire } from '../drafts.ts'
import type { Kind, Thing } from '../known-things.ts'
import { kindOf, pathIds } from '../targets.ts'
import type { Case } from '../wire.ts'
import type { World } from '../world.ts'

/** A valid request for what another workspace has, what is elsewhere, what was deleted, or what never was. */
export function absent(world: World, random: Random): Case | undefined {
  const caller = random.pick(world.callers.full)
  const operation = random.pick(world.withJson)
  const draft = draftOf(operation, caller, random)
  // A key that was not there is there once a document is put under it.
  const isPut = operation.operationId === 'putDocument'
  const kind = isPut ? 'datastore' : kindOf(operation)
  if (!draft || !kind) return undefined
  const [whose, find] = random.pick(strangers)
  const thing = find(world, caller, random, kind)
  if (!thing || caller.workspace.things.has(kind, thing)) return undefined
  const ids = isPut ? { ...draft.ids, id: thing.id } : pathIds(operation, thing)
  // Which comes first, a check or that nothing is there, the contract leaves open.
  const headers = draft.headers.filter(([name]) => !name.startsWith('If-'))
  const body = elsewhere(draft, thing)
  const wire = toWire({ ...draft, ids, headers, ...(body && { body }) })
  return { title: whose, caller, expected: 'absent', operation, wire }
}

type Find = (world: World, caller: Caller, random: Random, kind: Kind) => Thing | undefined

const strangers: [string, Find][] = [
  [
    "another workspace's",
    ({ callers }, caller, random, kind) => {
      const other = callers.full.find(({ workspace }) => workspace !== caller.workspace)
      return other?.workspace.things.pick(kind, random)
    },
  ],
  [
    'deleted',
    // A document may be put again under its key meanwhile, and has the same id then.
    (_, { workspace }, random, kind) =>
      isWithin(kind) ? undefined : workspace.things.pickLost(kind, random),
  ],
  [
    'made up',
    (_, { workspace }, random, kind) => {
      // No document is put under a key that ends so.
      const id = `${random.pick(hostileIds)}~`
      const parent = workspace.things.pick('datastore', random)?.id
      return isWithin(kind) ? (parent === undefined ? undefined : { id, parent }) : { id }
    },
  ],
  [
    "another datastore's",
    // A document's key may be in both.
    (_, { workspace }, random, kind) => {
      const thing = kind === 'datasource' ? workspace.things.pick(kind, random) : undefined
      const other = workspace.things.pick('datastore', random)
      return thing && other ? { ...thing, parent: other.id } : undefined
    },
  ],
]

const isWithin = (kind: Kind): boolean => kind === 'datasource' || kind === 'document'

/** The body where it names what is asked for, or what might be gone. */
function elsewhere({ operation, body }: Draft, { id }: Thing): Draft['body'] {
  const members = body as { [member: string]: NonNullable<Draft['body']> } | undefined
  if (operation.operationId === 'updateDatasource') return { ...members, id }
  if (operation.operationId === 'putKnowledge') return { ...members, datastoreIds: [] }
  return members && without(members, 'id', 'conversationId')
}
