import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { Problem } from '../../generated/types.gen.ts'
import { complaint, document, type Json, type Operation, operations } from '../support/contract.ts'
import { send } from '../support/raw.ts'
import { examplesOf, makeThings, mediaOf, pathOf, takesJson, withIds } from '../support/requests.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, upsert } from '../support/things.ts'

/** Derived from the contract: null is refused wherever a schema does not name it, and taken where it does. */

const { client, url } = await joinServer()
const ids = await makeThings(client)

type Schema = { [keyword: string]: Json }
type Place = { path: string[]; schema: Schema; isRequired: boolean }

/** Every member and item below a schema. Filters by metadata hold themselves, and have rows of their own. */
function placesIn(schema: Schema, path: string[] = []): Place[] {
  const { properties = {}, required = [], items, anyOf = [] } = resolved(schema)
  const members = Object.entries(properties as Record<string, Schema>).map(([name, child]) => ({
    path: [...path, name],
    schema: child,
    isRequired: (required as string[]).includes(name),
  }))
  const item = { path: [...path, '0'], schema: items as Schema, isRequired: true }
  const here = items ? [...members, item] : members
  const alternatives = (anyOf as Schema[]).flatMap((one) => placesIn(one, path))
  return [
    ...here.flatMap((place) => [place, ...placesIn(place.schema, place.path)]),
    ...alternatives,
  ]
}

function resolved(schema: Schema): Schema {
  const { $ref } = schema
  return typeof $ref === 'string'
    ? resolved(document.components.schemas[$ref.split('/').at(-1)!])
    : schema
}

/** A body with null at that place; what lies above it is made where it is not there. */
function withNull(body: Json, [member, ...rest]: string[]): Json {
  if (member === undefined) return null
  if (member === '0') {
    const [first = {}, ...others] = Array.isArray(body) ? body : []
    return [withNull(first, rest), ...others]
  }
  const members = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  return { ...members, [member]: withNull(members[member] ?? {}, rest) }
}

async function sendNull(operation: Operation, path: string[]): Promise<Response> {
  const [example = {}] = examplesOf(operation)
  const body = withIds(JSON.stringify(withNull(example, path)), ids)
  return send(url, operation.method, withIds(pathOf(operation), ids), { body })
}

const places = operations.filter(takesJson).flatMap((operation) =>
  placesIn(mediaOf(operation)!.schema as Schema).map((place) => ({
    ...place,
    operation,
    title: `${operation.operationId} /${place.path.join('/')}`,
    takesNull: complaint(place.schema, null) === undefined,
  })),
)
const refused = places.filter(({ takesNull }) => !takesNull)
const taken = places.filter(({ takesNull }) => takesNull)

test.each(refused)('$title: null is refused and named', async ({ operation, path, isRequired }) => {
  const response = await sendNull(operation, path)
  const { errors } = (await response.json()) as Problem
  const detail = isRequired
    ? expect.stringMatching(/^must be .+, not null$/)
    : 'is null; leave it out'
  const pointers = errors?.map(({ pointer }) => pointer)
  expect([response.status, new Set(pointers)]).toEqual([400, new Set([`/${path.join('/')}`])])
  expect(errors?.map((one) => one.detail)).toEqual(errors?.map(() => detail))
})

test.each(taken)('$title: null is taken, as its schema names it', async ({ operation, path }) => {
  expect([200, 201]).toContain((await sendNull(operation, path)).status)
})

test('most members of bodies are optional, and take no null', () => {
  expect(refused.filter(({ isRequired }) => !isRequired).length).toBeGreaterThan(50)
  expect(taken.map(({ title }) => title)).toContain('upsertDocuments /documents/0/metadata')
})

describe('filters fail closed', () => {
  const eq = { type: 'eq', key: 'a', value: 1 }
  test.each<[Json, string, string]>([
    [null, '', 'is null; leave it out'],
    [{ custom_ids: null }, '/custom_ids', 'is null; leave it out'],
    [{ datasource_ids: null }, '/datasource_ids', 'is null; leave it out'],
    [{ custom_ids: ['a', null] }, '/custom_ids/1', 'must be a string, not null'],
    [{ metadata: null }, '/metadata', 'is null; leave it out'],
    [{ metadata: { ...eq, key: null } }, '/metadata/key', 'must be a string, not null'],
    [
      { metadata: { type: 'and', filters: [eq, null] } },
      '/metadata/filters/1',
      'must be an object, not null',
    ],
  ])('%j', async (filters, place, detail) => {
    const id = await makeDatastore(client)
    await upsert(client, id, { text: 'Of another customer.', metadata: { custom_id: 'b' } })
    const body = JSON.stringify({ query: 'customer', filters })
    const response = await send(url, 'POST', `/datastores/${id}/query`, { body })
    const { errors } = (await response.json()) as Problem
    expect([response.status, errors]).toEqual([400, [{ pointer: `/filters${place}`, detail }]])
  })
})

test('null in metadata is a value like any other', async () => {
  const id = await makeDatastore(client)
  const metadata = { a: null, custom_id: null, b: [null] }
  const [datasourceId = ''] = await upsert(client, id, { text: 'x', metadata })
  const { data } = await sdk.getDatasource({ client, path: { id, datasourceId } })
  expect(data?.metadata).toEqual(metadata)
})
