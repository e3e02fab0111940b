import { describe, expect, test } from 'vitest'
import { complaint, document, type Json, operations } from '../support/contract.ts'
import { named } from '../support/requests.ts'

/** What the tools and people that read the document stumble over elsewhere. */

type Schema = { [keyword: string]: Json }
const schemas: Record<string, Schema> = document.components.schemas

/** The schema that a property refers to, and those that this one refers to. */
function chainOf(schema: Schema): Schema[] {
  const { $ref } = schema
  if (typeof $ref !== 'string') return [schema]
  return [schema, ...chainOf(schemas[$ref.split('/').at(-1)!]!)]
}

const properties = Object.entries(schemas).flatMap(([name, { properties: members = {} }]) =>
  Object.entries(members as Record<string, Schema>).map(
    ([member, schema]) => [`${name}.${member}`, schema] as const,
  ),
)

test('a default of a property stands in a schema of its own', () => {
  expect(properties.filter(([, schema]) => 'default' in schema)).toEqual([])
})

describe.each(named(operations))('%s', (_, { parameters, responses }) => {
  test('describes a parameter once, and fills none in that a caller has to choose', () => {
    for (const parameter of parameters) {
      for (const schema of chainOf(parameter.schema)) {
        expect(schema).not.toHaveProperty('description')
      }
      expect(parameter).not.toHaveProperty('example')
      expect(parameter).not.toHaveProperty('examples')
    }
  })

  test('an answer may hold more than it does, and a member more is seen here', () => {
    for (const [status, { content }] of Object.entries(responses)) {
      if (Number(status) >= 400) continue
      for (const { schema, examples = {} } of Object.values(content ?? {})) {
        for (const { value } of Object.values(examples)) {
          expect(complaint(schema, value)).toBeUndefined()
          // A text has no members.
          if (typeof value === 'string') continue
          const [thing] = [value].flat()
          const more = { ...(thing as object), nonsense: 1 }
          expect(complaint(schema, Array.isArray(value) ? [more] : more)).toContain('additional')
        }
      }
    }
  })
})

test('what only answers hold is open', () => {
  const inRequests = new Set(['CreateAgent', 'UpdateAgent', 'CreateDatastore', 'NewDocument'])
  for (const name of [
    'UpdateDatastore',
    'PutDocuments',
    'KeyedDocument',
    'UpsertDocuments',
    'UpdateDatasource',
    'QueryDatastore',
    'Filters',
    'EqualityFilter',
    'RangeFilter',
    'MembershipFilter',
    'ExistenceFilter',
    'CompoundFilter',
    'PatchDatasource',
    'CreateKey',
    'PutKnowledge',
    'QueryAgent',
    'UploadFile',
  ]) {
    inRequests.add(name)
  }
  const freeForm = new Set(['MetadataPatch', 'Metadata'])
  for (const [name, { properties: members, additionalProperties }] of Object.entries(schemas)) {
    if (!members) continue
    const expected = freeForm.has(name) || (inRequests.has(name) ? false : undefined)
    expect([name, additionalProperties]).toEqual([name, expected])
  }
})

test('a schema has no name of the DOM or of JavaScript, nor that of a parameter', () => {
  const dom = [
    'Document',
    'Text',
    'Node',
    'Element',
    'Range',
    'Event',
    'Request',
    'Response',
    'File',
  ]
  const taken = new Set([...dom, ...Object.getOwnPropertyNames(globalThis)])
  for (const name of Object.keys(document.components.parameters)) taken.add(name)
  expect(Object.keys(schemas).filter((name) => taken.has(name))).toEqual([])
})

test('nothing tells who asked for what, and every status that any request may get is told', () => {
  expect(/\*Addition|this service was asked/.test(JSON.stringify(document))).toBe(false)
  for (const status of [405, 408, 417, 431])
    expect(document.info.description).toContain(`${status} (`)
})
