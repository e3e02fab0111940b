import { isDeepStrictEqual } from 'node:util'
import { OpenAPIBackend } from 'openapi-backend'
import { dereference } from 'openapi-backend/refparser.js'
import { expect, test } from 'vitest'
import { mergeReferences } from '../../../src/http/backend.ts'
import { document } from '../../support/contract.ts'

const merged = (schemas: object): unknown => {
  const copy = structuredClone({ schemas })
  mergeReferences(copy)
  return copy.schemas
}

test('what stands beside a reference is merged into a copy of what it leads to, and counts more', () => {
  const Text = { type: 'string', maxLength: 9, description: 'A text.' }
  const Named = { $ref: '#/schemas/Text', description: 'A name.' }
  const Same = { properties: { name: { $ref: '#/schemas/Named', default: '' } } }
  expect(merged({ Text, Named, Same })).toEqual({
    Text,
    Named: { ...Text, description: 'A name.' },
    Same: { properties: { name: { ...Text, description: 'A name.', default: '' } } },
  })
})

test('a bare reference stays, to what is no reference itself', () => {
  const Text = { type: 'string' }
  const Long = { $ref: '#/schemas/Second', maxLength: 9 }
  const all = {
    Text,
    Long,
    First: { $ref: '#/schemas/Second' },
    Second: { $ref: '#/schemas/Text' },
  }
  expect(merged(all)).toEqual({
    Text,
    Long: { ...Text, maxLength: 9 },
    First: Text,
    Second: { $ref: '#/schemas/Text' },
  })
})

test('a schema may hold itself', () => {
  const List = { items: { $ref: '#/schemas/List', description: 'The next.' } }
  const { List: first } = merged({ List }) as { List: { items: { items: object } } }
  expect(first.items.items).toBe(first.items)
})

test('a reference that leads nowhere is named', () => {
  expect(() => merged({ Text: { $ref: '#/schemas/None' } })).toThrow('#/schemas/None')
})

test('a quick start reads the contract as a full one does', async () => {
  const full = await dereference(structuredClone(document))
  const definition = structuredClone(document)
  mergeReferences(definition)
  const quick = await new OpenAPIBackend({ definition, quick: true, strict: true }).init()
  expect(isDeepStrictEqual(quick.definition, full)).toBe(true)
})
