import { document, type Json } from '../../support/contract.ts'
import type { Random } from '../../support/random.ts'
import { drawOf } from '../drafts.ts'
import { jsonOf } from '../metadata.ts'
import { type Schema, valueOf } from '../values.ts'
import { broken } from '../nearly.ts'
import type { Caller } from '../callers.ts'
import type { Case } from '../wire.ts'
import type { World } from '../world.ts'

type Members = { [member: string]: Json }

/** A message of an assistant, sound or not, to all datastores or to one. */
export function mcp(world: World, random: Random): Case {
  const caller = random.pick(random.chance(0.8) ? world.callers.full : world.callers.limited)
  const { things } = caller.workspace
  const datastore = random.chance(0.3) ? things.pick('datastore', random) : undefined
  const target = datastore ? `/datastores/${datastore.id}/mcp` : '/mcp'
  const [title, message] = messageOf(caller, random)
  const headers: [string, string][] = [
    ['Authorization', caller.authorization!],
    ['Content-Type', 'application/json'],
    ['Accept', random.pick(['application/json, text/event-stream', 'application/json', '*/*'])],
    ...(random.chance(0.3)
      ? [['MCP-Protocol-Version', random.pick(versions)] as [string, string]]
      : []),
    ...(random.chance(0.1)
      ? [['Mcp-Method', random.pick(['tools/call', 'x'])] as [string, string]]
      : []),
  ]
  const body = Buffer.from(JSON.stringify(message))
  return {
    title: `mcp ${title}`,
    caller,
    expected: 'anything',
    wire: { method: 'POST', target, headers, body },
  }
}

const versions = ['2026-07-28', '2025-11-25', '2025-03-26', '1999-01-01', 'x', '']

function messageOf(caller: Caller, random: Random): [string, Json] {
  const [title, params] = random.pick(methods)(caller, random)
  const message: Members = {
    jsonrpc: '2.0',
    id: random.pick<Json>([1, 'a', 0]),
    method: title,
    params,
  }
  if (random.chance(0.7)) return [title, message]
  const member = random.pick(['jsonrpc', 'id', 'method', 'params', '_meta', 'x'])
  const odd = jsonOf(drawOf(random, caller), 1)
  if (member === '_meta')
    return [`${title} with _meta`, { ...message, params: { ...(params as object), _meta: odd } }]
  if (random.chance(0.3))
    return [
      `${title} without ${member}`,
      Object.fromEntries(Object.entries(message).filter(([name]) => name !== member)),
    ]
  return [`${title} with another ${member}`, { ...message, [member]: odd }]
}

const { QueryDatastore, QueryAgent } = document.components.schemas as Record<string, Schema>

const methods: ((caller: Caller, random: Random) => [string, Json])[] = [
  () => [
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
  ],
  () => ['tools/list', {}],
  () => ['ping', {}],
  () => ['resources/list', {}],
  ({ workspace }, random) => {
    const datastore = workspace.things.pick('datastore', random)?.id ?? 'dst_none'
    const read = workspace.things.pick('datasource', random)?.id ?? 'src_none'
    const part = random.pick(['', '?part=1', '?part=2', '?part=x'])
    return ['resources/read', { uri: `agents-datastores://documents/${datastore}/${read}${part}` }]
  },
  () => ['notifications/initialized', {}],
  (_, random) => [
    random.pick([
      'resources/list',
      'prompts/get',
      'logging/setLevel',
      'completion/complete',
      'server/discover',
      'nonsense',
      '__proto__',
    ]),
    {},
  ],
  (caller, random) => [
    'tools/call',
    { name: 'search', arguments: sent(QueryDatastore!, caller, random) },
  ],
  (caller, random) => [
    'tools/call',
    { name: 'search', arguments: sent(QueryDatastore!, caller, random) },
  ],
  ({ workspace }, random) => [
    'tools/call',
    {
      name: 'fetch',
      arguments: { id: workspace.things.pick('datasource', random)?.id ?? 'src_none' },
    },
  ],
  (caller, random) => {
    const agent = caller.workspace.things.pick('agent', random)?.id ?? 'agt_none'
    return [
      'tools/call',
      { name: 'ask', arguments: { agent, ...sent(QueryAgent!, caller, random) } },
    ]
  },
  (caller, random) => [
    'tools/call',
    {
      name: random.pick([
        'search',
        'fetch',
        'ask',
        'list_datastores',
        'list_documents',
        'nonsense',
        '__proto__',
      ]),
      arguments: jsonOf(drawOf(random, caller), 1),
    },
  ],
]

function sent(schema: Schema, caller: Caller, random: Random): Members {
  const value = valueOf(schema, drawOf(random, caller)) as Members
  const { query, topK, filters } = value
  const known = Object.fromEntries(
    Object.entries({ query, topK, filters }).filter(([, one]) => one !== undefined),
  ) as Members
  return random.chance(0.7) ? known : ((broken(schema, value, random)?.value ?? value) as Members)
}
