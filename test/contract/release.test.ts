import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { breakingChanges } from '../support/breaking/operations.ts'
import type { Node } from '../support/breaking/resolve.ts'
import { document, root } from '../support/contract.ts'

type Accepted = { reason: string; changes: string[] }

const read = (name: string) => parse(readFileSync(join(root, 'test/contract', name), 'utf8'))
const released: Node = read('released.yaml')
const accepted: Accepted[] = read('accepted-changes.yaml')
const acceptedLines = accepted.flatMap(({ changes }) => changes)

const unaccepted = (contract: Node): string[] =>
  breakingChanges(released, contract).filter((line) => !acceptedLines.includes(line))

test('nothing breaks who keeps to the last release, but for what accepted-changes.yaml gives a reason for', () => {
  expect(unaccepted(document)).toEqual([])
})

test('every accepted change is still one', () => {
  const changes = breakingChanges(released, document)
  expect(acceptedLines.filter((line) => !changes.includes(line))).toEqual([])
  for (const { reason } of accepted) expect(reason).toMatch(/\w/)
})

/** The document with another value at a pointer; without it where the value is undefined. */
function changed(pointer: string, value: unknown): Node {
  const copy: Node = structuredClone(document)
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const last = keys.pop()!
  const parent = keys.reduce<Node>((node, key) => {
    if (!(key in node)) throw new Error(`${pointer}: there is no ${key}`)
    return node[key] as Node
  }, copy)
  if (value === undefined && !(last in parent)) throw new Error(`${pointer}: there is no ${last}`)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}

const schemas = '/components/schemas'
const query = '/paths/~1datastores~1{id}~1query/post'
const agents = '/paths/~1agents'
const agent = '/paths/~1agents~1{id}'
const without = (list: string[], gone: string) => list.filter((one) => one !== gone)
const agentMembers: string[] = document.components.schemas.Agent.required
const scopes: string[] = document.components.schemas.Scope.enum

test.each([
  ['a path removed', '/paths/~1datastores~1{id}~1query', undefined],
  ['an operation removed', `${agent}/get`, undefined],
  ['an operationId', `${query}/operationId`, 'searchDatastore'],
  ['a scope', `${query}/security`, [{ bearer: ['datastores:write'] }]],
  ['no key needed', `${agents}/get/security`, []],
  ['a default', `${schemas}/TopK/default`, 10],
  ['a default of a page', '/components/parameters/Limit/schema/default', 50],
  ['a default gone', `${schemas}/InitialVisibility/default`, undefined],
  ['a default word', `${schemas}/QueryMode/default`, 'vector'],
  ['a lower maximum', `${schemas}/TopK/maximum`, 50],
  ['a higher minimum', `${schemas}/TopK/minimum`, 2],
  ['fewer documents', `${schemas}/UpsertDocuments/properties/documents/maxItems`, 100],
  ['a shorter text', `${schemas}/DatasourceText/maxLength`, 1000],
  ['a limit where there was none', `${schemas}/CreateKey/properties/scopes/maxItems`, 1],
  ['less metadata', `${schemas}/Metadata/x-json-limits/maxBytes`, 1024],
  ['a score wider in answers', `${schemas}/Fragment/properties/score/maximum`, 100],
  ['a value of a request gone', `${schemas}/QueryMode/enum`, ['hybrid', 'vector']],
  ['a scope gone', `${schemas}/Scope/enum`, without(scopes, 'metrics:read')],
  ['a member that answers may lack', `${schemas}/Agent/required`, without(agentMembers, 'name')],
  ['a member of answers gone', `${schemas}/Fragment/properties/source`, undefined],
  ['a member of requests gone', `${schemas}/QueryDatastore/properties/minScore`, undefined],
  ['a member that requests need', `${schemas}/CreateDatastore/required`, ['name', 'region']],
  ['another type', `${schemas}/Datastore/properties/dimensions/type`, 'string'],
  ['null in answers', `${schemas}/Datastore/properties/name`, { type: ['string', 'null'] }],
  ['another pattern', `${schemas}/Workspace/pattern`, '^[a-z]{1,63}$'],
  ['a pattern where there was none', `${schemas}/KeyName/pattern`, '^[a-z]*$'],
  ['another format', `${schemas}/CreatedAt/format`, 'date'],
  ['a closed body', `${schemas}/Metadata/additionalProperties`, false],
  ['a status gone', `${query}/responses/409`, undefined],
  ['another status', `${agents}/post/responses`, { 200: {} }],
  ['an error of another kind', `${agents}/post/responses/503/$ref`, '#/components/responses/NoOne'],
  ['a header gone', `${agents}/post/responses/201/headers/Location`, undefined],
  ['a header no longer sure', '/components/headers/ETag/required', false],
  ['a header in another form', '/components/headers/Retry-After/schema/pattern', '^.*$'],
  [
    'a media type gone',
    '/components/responses/Internal/content/application~1problem+json',
    undefined,
  ],
  ['a body that is required', `${agent}/delete/requestBody/required`, true],
  ['a body of another type', `${query}/requestBody/content`, { 'text/plain': {} }],
  ['a parameter elsewhere', '/components/parameters/Cursor/in', 'header'],
  ['a parameter of another name', '/components/parameters/IfMatch/name', 'If-Unmodified-Since'],
  ['a parameter that is required', '/components/parameters/Limit/required', true],
  ['a parameter gone', `${agents}/get/parameters`, []],
  [
    'an example of a body',
    `${query}/requestBody/content/application~1json/examples/plain/value/query`,
    'Why?',
  ],
  [
    'an example gone',
    `${agents}/post/requestBody/content/application~1json/examples/smallest`,
    undefined,
  ],
  ['an example of an answer', '/components/examples/Agent/value/temperature', 0.3],
  ['an example of a header', '/components/headers/Location/example', '/elsewhere'],
  ['an example of an error', '/components/examples/StorageFull/value/code', 'internal'],
  ['the status of a code', '/x-problems/storage_full/status', 503],
  ['another server', '/servers/0/url', 'https://elsewhere.example'],
  ['another scheme', '/components/securitySchemes/bearer/scheme', 'basic'],
])('%s is named', (_, pointer, value) => {
  expect(unaccepted(changed(pointer, value))).not.toEqual([])
})

test.each([
  ['a word of prose', '/info/description', 'Something else.'],
  ['a description', `${schemas}/TopK/description`, 'How many.'],
  ['a summary', `${query}/summary`, 'Ask'],
  ['a path', '/paths/~1metrics', { get: { operationId: 'getMetrics', responses: {} } }],
  [
    'an optional member of requests',
    `${schemas}/CreateDatastore/properties/region`,
    { type: 'string' },
  ],
  ['a member of answers', `${schemas}/Agent/properties/createdAt`, { type: 'string' }],
  [
    'a member that answers always have',
    `${schemas}/Fragment/required`,
    [...document.components.schemas.Fragment.required, 'span'],
  ],
  ['a value of an enumeration', `${schemas}/Scope/enum`, [...scopes, 'agents:query']],
  ['a wider limit of requests', `${schemas}/UpsertDocuments/properties/documents/maxItems`, 1000],
  ['a narrower limit of answers', `${schemas}/Fragment/properties/score/minimum`, 0],
  ['a pattern of requests gone', `${schemas}/NewDocument/additionalProperties`, undefined],
  ['a status', `${agents}/get/responses/429`, { description: 'Too many.' }],
  ['a header', `${agents}/get/responses/200/headers/ETag`, { schema: { type: 'string' } }],
  [
    'an example',
    `${query}/requestBody/content/application~1json/examples/more`,
    { value: { query: 'x' } },
  ],
  ['a media type', `${query}/requestBody/content/application~1cbor`, {}],
  [
    'an optional parameter',
    `${agents}/get/parameters/2`,
    { name: 'q', in: 'query', schema: { type: 'string' } },
  ],
])('%s more is no break', (_, pointer, value) => {
  expect(unaccepted(changed(pointer, value))).toEqual([])
})
