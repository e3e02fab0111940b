import type { Operation } from '../support/contract.ts'
import type { Random } from '../support/random.ts'
import type { Kind, KnownThings, Thing } from './known-things.ts'
import { hostileIds } from '../support/hostile-ids.ts'

/** What an operation is about, by the last name in its path, or by what its body has to name. */
export function kindOf({ operationId, path }: Operation): Kind | undefined {
  if (operationId === 'updateDatasource') return 'datasource'
  const name = /^.*\{(\w+)\}/.exec(path)?.[1]
  if (name === 'datasourceId') return 'datasource'
  if (name === 'key') return 'document'
  if (name === 'datastoreId') return 'datastore'
  return kinds.find((kind) => path.startsWith(`/${kind}s/{`))
}

const kinds: Kind[] = ['agent', 'datastore', 'conversation', 'key']

/** The names in the path, filled with something that is there; undefined where nothing is. */
export function targetOf(
  operation: Operation,
  things: KnownThings,
  random: Random,
): Record<string, string> | undefined {
  const kind = kindOf(operation)
  if (!kind) return {}
  if (operation.method === 'PUT' && kind === 'document') return newDocument(things, random)
  const thing = things.pick(kind, random)
  return thing && pathIds(operation, thing)
}

export function pathIds(operation: Operation, { id, parent = '' }: Thing): Record<string, string> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.length === 2) return { [names[0]!]: parent, [names[1]!]: id }
  // What only the body names has its datastore in the path.
  return { [names[0]!]: kindOf(operation) === 'datasource' ? parent : id }
}

function newDocument(things: KnownThings, random: Random): Record<string, string> | undefined {
  const datastore = things.pick('datastore', random)
  if (!datastore) return undefined
  const known = things.pick('document', random, datastore.id)
  const names = ['a/b', 'key', '%', '鍵', ...hostileIds].filter((name) => name !== '')
  const key = known && random.chance(0.5) ? known.id : `${random.pick(names)}${random.below(20)}`
  return { id: datastore.id, key }
}
