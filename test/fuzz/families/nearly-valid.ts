import { complaint, type Json, type Operation } from '../../support/contract.ts'
import type { Random } from '../../support/random.ts'
import { type Draft, draftOf, toWire } from '../drafts.ts'
import { broken } from '../nearly.ts'
import { type Schema, whole } from '../values.ts'
import type { Case, Wire } from '../wire.ts'
import type { World } from '../world.ts'

type Change = { fault: string; draft?: Draft; wire?: Wire }
type Way = (draft: Draft, random: Random) => Change | undefined

/** A valid request with one fault. */
export function nearlyValid(world: World, random: Random): Case | undefined {
  const caller = random.pick(world.callers.full)
  const operation = random.pick(world.withJson)
  const draft = draftOf(operation, caller, random)
  const change = draft && random.pick(ways)(draft, random)
  if (!change) return undefined
  const wire = change.wire ?? toWire(change.draft!)
  return { title: change.fault, caller, expected: 'broken', operation, wire }
}

const ways: Way[] = [
  breakBody,
  breakBody,
  breakBody,
  breakBody,
  breakParameter,
  addParameter,
  retype,
  repeat,
  addCheck,
]

function breakBody(draft: Draft, random: Random): Change | undefined {
  const schema = draft.operation.requestBody?.content['application/json']?.schema
  if (!schema || draft.body === undefined) return undefined
  const change = broken(schema as Schema, draft.body, random)
  return change && { fault: change.fault, draft: { ...draft, body: change.value } }
}

/** Of a parameter that stands in the query, a header or the path, where everything is a text. */
function breakParameter(draft: Draft, random: Random): Change | undefined {
  const { parameters } = draft.operation
  const { name, in: place, schema } = random.pick(parameters) ?? {}
  if (!name || !schema) return undefined
  const change = broken(schema, exampleOf(schema), random)
  const value = change && textOf(change.value)
  // A number is a text there, too.
  const isText = whole(schema).type === 'string' && value !== undefined
  if (isText && complaint(schema, value) === undefined) return undefined
  if (value === undefined || (place === 'header' && !/^[!-~]+$/.test(value))) return undefined
  return { fault: `${name}: ${change?.fault}`, draft: withParameter(draft, place, name, value) }
}

const exampleOf = (schema: Schema): Json => (schema.type === 'integer' ? 1 : 'x')

/** As text `null` and such are what any text is. */
const textOf = (value: Json): string | undefined =>
  typeof value === 'string' && value !== '' && value !== 'x'
    ? value
    : typeof value === 'number'
      ? String(value)
      : undefined

function withParameter(draft: Draft, place: string, name: string, value: string): Draft {
  const others = (pairs: Draft['query']) => pairs.filter(([other]) => other !== name)
  if (place === 'path') return { ...draft, ids: { ...draft.ids, [name]: value } }
  if (place === 'query') return { ...draft, query: [...others(draft.query), [name, value]] }
  return { ...draft, headers: [...others(draft.headers), [name, value]] }
}

const isOpen = ({ security }: Operation): boolean => security.length === 0

function addParameter(draft: Draft, random: Random): Change | undefined {
  if (isOpen(draft.operation)) return undefined
  const name = random.pick(['nonsense', 'Limit', '__proto__', 'limit[]', ' limit', 'constructor'])
  return { fault: `query ${name}`, draft: { ...draft, query: [...draft.query, [name, '1']] } }
}

function repeat(draft: Draft): Change | undefined {
  const [pair] = draft.query
  return (
    pair && { fault: `query ${pair[0]} twice`, draft: { ...draft, query: [...draft.query, pair] } }
  )
}

function retype(draft: Draft, random: Random): Change | undefined {
  if (draft.body === undefined) return undefined
  const type = random.pick([
    'text/plain',
    'application/xml',
    'application/json;charset=latin1',
    'application/jsonx',
    'json',
    'multipart/form-data',
  ])
  const wire = toWire(draft)
  const headers = wire.headers.filter(([name]) => name !== 'Content-Type')
  return {
    fault: `Content-Type ${type}`,
    wire: { ...wire, headers: [...headers, ['Content-Type', type]] },
  }
}

/** A check that the operation does not make must not be passed over. */
function addCheck(draft: Draft): Change | undefined {
  const { parameters, security } = draft.operation
  if (security.length === 0 || parameters.some(({ name }) => name === 'If-Match')) return undefined
  return {
    fault: 'If-Match',
    draft: { ...draft, headers: [...draft.headers, ['If-Match', '"1"']] },
  }
}
