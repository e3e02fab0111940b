import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Kind } from '../../codegen/changes/change.ts'
import { contractChanges } from '../../codegen/changes/operations.ts'
import { acceptedChanges, releasedContracts } from '../../codegen/changes/released.ts'
import { isNode, type Node, prose } from '../../codegen/changes/resolve.ts'
import { document, root } from '../support/contract.ts'
import { Random } from '../support/random.ts'

const digests: Record<string, string> = {
  '0.2.0': '76e048ca6a6ae6adad1c70c799b21679c76f1394862958740c138fa29cf245f6',
}

test('contracts that were released are as they were released', () => {
  const found = releasedContracts().map(({ version, contract }) => {
    const bytes = readFileSync(join(root, `contracts/${version}.yaml`))
    expect((contract.info as Node).version).toBe(version)
    return [version, createHash('sha256').update(bytes).digest('hex')]
  })
  expect(Object.fromEntries(found)).toEqual(digests)
})

const released = releasedContracts().at(-1)!.contract
const accepted = acceptedChanges()
const acceptedLines = accepted.flatMap(({ changes }) => changes)

const named = (contract: Node, kind: Kind, before = released): string[] =>
  contractChanges(before, contract).flatMap((change) => (change.kind === kind ? change.text : []))

const unaccepted = (contract: Node): string[] =>
  named(contract, 'breaks').filter((line) => !acceptedLines.includes(line))

test('nothing breaks who keeps to the last release, but for what accepted-changes.yaml gives a reason for', () => {
  expect(unaccepted(document)).toEqual([])
})

test('every accepted change is still one', () => {
  const changes = named(document, 'breaks')
  expect(acceptedLines.filter((line) => !changes.includes(line))).toEqual([])
  for (const { reason } of accepted) expect(reason).toMatch(/\w/)
})

test('a contract that is being worked on has no version of a release', () => {
  const { version } = document.info
  const isReleased = contractChanges(released, document).length === 0
  expect(Object.keys(digests).includes(version)).toBe(isReleased)
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
const upload = '/paths/~1datastores~1{id}~1files/post/requestBody'
const codes: string[] = document.components.schemas.ProblemCode.enum
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
  [
    'an example of an error',
    '/components/responses/StorageFull/x-problems/problem/code',
    'internal',
  ],
  ['the status of a code', '/x-problems/storage_full/status', 503],
  ['another server', '/servers/0/url', 'https://elsewhere.example'],
  ['a server of an operation', `${agents}/get/servers`, [{ url: 'https://elsewhere.example' }]],
  ['a server of a path', `${agents}/servers`, [{ url: 'https://elsewhere.example' }]],
  ['a parameter in another form', '/components/parameters/Limit/explode', false],
  ['a parameter that is not escaped', '/components/parameters/DocumentKey/allowReserved', true],
  ['a parameter of a media type', '/components/parameters/IdempotencyKey/content', {}],
  ['a header in another style', '/components/headers/ETag/style', 'simple'],
  ['another scheme', '/components/securitySchemes/bearer/scheme', 'basic'],
  ['fewer values of a filter', `${schemas}/MembershipFilter/properties/value/maxItems`, 10],
  ['a comparison gone', `${schemas}/MembershipFilter/properties/type/enum`, ['in']],
  ['fewer filters together', `${schemas}/CompoundFilter/properties/filters/maxItems`, 2],
  ['no dates', `${schemas}/RangeFilter/properties/value`, { type: 'number' }],
  ['a filter that needs more', `${schemas}/EqualityFilter/required`, ['type', 'key', 'value', 'x']],
  ['a member of a filter gone', `${schemas}/EqualityFilter/properties/value`, undefined],
  [
    'a filter gone',
    `${schemas}/MetadataFilter/oneOf/3`,
    { $ref: '#/components/schemas/RangeFilter' },
  ],
  ['a narrower key', `${schemas}/MetadataKey/pattern`, '^[a-z]+$'],
  [
    'a type of value gone',
    `${schemas}/MetadataValue/anyOf`,
    [{ type: 'string' }, { type: 'number' }],
  ],
  ['a member of an event gone', `${schemas}/AnswerEvent/properties/delta`, undefined],
  [
    'a member of an event of another type',
    `${schemas}/AnswerEvent/properties/delta/type`,
    'object',
  ],
  ['an event of another name', `${schemas}/SourcesEvent/properties/type/const`, 'origins'],
  ['a failure without its problem', `${schemas}/FailureEvent/properties/problem`, undefined],
  [
    'a filter in a query that may compare less',
    `${schemas}/FilterText/contentSchema/x-filter-limits/maxComparisons`,
    8,
  ],
  ['a smaller body', `${query}/requestBody/x-max-bytes`, 1024],
  ['a format of answers', `${schemas}/KeyId/format`, 'uuid'],
  ['a link gone', `${agents}/post/responses/201/links/getAgent`, undefined],
  [
    'a link elsewhere',
    `${agents}/post/responses/201/links/getAgent/parameters/id`,
    '$response.body#/name',
  ],
])('%s is named', (_, pointer, value) => {
  expect(unaccepted(changed(pointer, value))).not.toEqual([])
})

test.each([
  ['a tool of another name', `${query}/x-mcp-tool/name`, 'find'],
  ['a tool that takes less', `${query}/x-mcp-tool/properties/datastore`, undefined],
  ['a tool that needs more', `${query}/x-mcp-tool/required`, ['datastore']],
  ['a tool gone', `${query}/x-mcp-tool`, undefined],
  ['a form in another encoding', `${upload}/content/multipart~1form-data/encoding`, {}],
  ['a form of another kind', `${upload}/content/multipart~1form-data`, undefined],
  ['a code gone', `${schemas}/ProblemCode/enum`, without(codes, 'no_text')],
])('%s is named, though it is newer than the last release', (_, pointer, value) => {
  expect(named(changed(pointer, value), 'breaks', document)).not.toEqual([])
})

test.each([
  ['a tag', `${agents}/get/tags`, ['assistants']],
  ['an operation that is deprecated', `${agents}/get/deprecated`, true],
  ['a member that is deprecated', `${schemas}/Agent/properties/name/deprecated`, true],
  ['the title of a problem', '/x-problems/not_found/title', 'Gone'],
  ['a header that is deprecated', '/components/headers/ETag/deprecated', true],
  [
    'a parameter that is deprecated',
    `${agent}~1conversations/delete/parameters/0/deprecated`,
    true,
  ],
  ['another title', '/info/title', 'Agents'],
  ['another OpenAPI', '/openapi', '3.2.0'],
  ['another dialect', '/jsonSchemaDialect', 'https://json-schema.org/draft-07/schema'],
])('%s is warned of', (_, pointer, value) => {
  expect(named(changed(pointer, value), 'warns', document)).toHaveLength(1)
})

test('a schema of another name is warned of once, and breaks nothing', () => {
  const renamed = JSON.parse(
    JSON.stringify(document)
      .replaceAll('"Agent":{"type"', '"Assistant":{"type"')
      .replaceAll('/schemas/Agent"', '/schemas/Assistant"'),
  )
  expect(contractChanges(document, renamed).map(({ kind }) => kind)).toEqual(['warns'])
})

/** The places of all single values below a node, but for prose and references. */
function leavesOf(node: unknown, place: string[] = []): string[][] {
  if (typeof node !== 'object' || node === null) return [place]
  return Object.entries(node).flatMap(([key, child]) =>
    (isNode(node) && prose.has(key)) || key === '$ref' ? [] : leavesOf(child, [...place, key]),
  )
}

const another = (value: unknown): unknown => {
  if (typeof value === 'boolean') return !value
  return typeof value === 'number' ? value + 1 : `${String(value)}x`
}

test('whatever is changed in a schema is named', () => {
  for (let round = 0; round < 5; round++) {
    const random = new Random(round)
    const mutant: Node = structuredClone(document)
    const places = Object.entries(document.components.schemas).map(([name, schema]) => {
      const [last = '', ...above] = random.pick(leavesOf(schema)).toReversed()
      const parent = above.reduceRight<Node>(
        (node, key) => node[key] as Node,
        (mutant.components as { schemas: Record<string, Node> }).schemas[name]!,
      )
      parent[last] = another(parent[last])
      return new RegExp(`#/components/schemas/${name}\\b`)
    })
    const texts = contractChanges(document, mutant).map(({ text }) => text)
    expect(places.filter((place) => !texts.some((text) => place.test(text)))).toEqual([])
  }
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
