import { expect, test, vi } from 'vitest'
import {
  AgentsDatastores,
  type AttemptDetails,
  type Logger,
  type Settings,
} from '../../client/src/index.ts'
import { silentUrl } from '../support/command-line.ts'
import { HastyClient } from '../support/hasty-client.ts'
import { answer, page, refuse, reset, startScripted, type Step } from '../support/scripted.ts'

type Line = AttemptDetails & { level: string; message: string }

function notebook() {
  const lines: Line[] = []
  const tell = (level: string) => (message: string, details: AttemptDetails) => {
    lines.push({ level, message: message.replace(/\d+ ms/g, 'N ms'), ...details })
  }
  const logger: Logger = {
    debug: tell('debug'),
    info: tell('info'),
    warn: tell('warn'),
    error: tell('error'),
  }
  return { lines, logger }
}

const secret = 'ads_secret_key'

async function told(steps: Step[], call: (client: AgentsDatastores) => PromiseLike<unknown>) {
  const { url } = await startScripted(...steps)
  const { lines, logger } = notebook()
  await Promise.resolve(call(new HastyClient({ baseUrl: url, apiKey: secret, logger }))).catch(
    () => undefined,
  )
  return { lines, url }
}

const agents = answer({ data: [], nextCursor: null }, 200, { 'x-request-id': 'req_1' })
const named = { 'x-request-id': 'req_1' }

test('an answer is told with its method, path, status, time and id', async () => {
  const { lines } = await told([agents], (client) => client.listAgents({ limit: 7 }))
  expect(lines).toEqual([
    {
      level: 'debug',
      message: 'GET /agents 200 in N ms (req_1)',
      method: 'GET',
      path: '/agents',
      status: 200,
      milliseconds: expect.any(Number),
      requestId: 'req_1',
    },
  ])
})

test('what is sent again is told with its wait, and then what came of it', async () => {
  const busy = refuse(503, 'overloaded', { 'retry-after': '2', ...named })
  const { lines } = await told([busy, reset, page(502), agents], (client) =>
    client.listAgents({}, { maxRetries: 3 }),
  )
  expect(lines.map(({ level, status, code }) => [level, status, code])).toEqual([
    ['warn', 503, 'overloaded'],
    ['warn', undefined, undefined],
    ['warn', 502, undefined],
    ['debug', 200, undefined],
  ])
  expect(lines[0]!.wait).toBeGreaterThanOrEqual(2000)
  expect(lines[0]!.message).toBe(
    'GET /agents 503 overloaded in N ms (req_1). It is sent again in N ms.',
  )
  expect(lines[1]!.reason).toMatch(/^No answer came from .*ECONNRESET/)
})

test('each sentence about a timeout ends in one full stop', async () => {
  const { lines } = await told([() => undefined], (client) =>
    client.listAgents({}, { timeout: 1, maxRetries: 1 }),
  )
  const failed = 'GET /agents failed in N ms. No answer came within N ms'
  expect(lines.map(({ message }) => message)).toEqual([
    `${failed}. It is sent again in N ms.`,
    failed,
  ])
})

const stream = `data: {"type":"sources","sources":[]}\n\n`

test.each<[string, Step, (client: AgentsDatastores) => PromiseLike<unknown>, string]>([
  ['a refusal', refuse(404, 'not_found'), (client) => client.getAgent('agt_1'), 'info'],
  ['a full disk', refuse(507, 'storage_full'), (client) => client.getAgent('agt_1'), 'error'],
  [
    'a last 429',
    refuse(429, 'too_many_requests', { 'retry-after': '99' }),
    (client) => client.getAgent('agt_1'),
    'error',
  ],
  ['no answer', reset, (client) => client.createAgent({ name: 'a', description: 'b' }), 'error'],
  ['a page', page(200), (client) => client.listAgents({}, { maxRetries: 0 }), 'info'],
  [
    'an abort',
    agents,
    (client) => client.listAgents({}, { signal: AbortSignal.abort(new Error('Enough.')) }),
    'info',
  ],
])('%s is told at its level', async (_, step, call, level) => {
  const { lines } = await told([step], call)
  expect(lines.map((line) => line.level)).toEqual([level])
})

test('a stream that breaks off is told after its beginning', async () => {
  const step: Step = (_, response) => response.end(stream)
  const { lines } = await told([step], async (client) => {
    for await (const _ of client.streamAgent('agt_1', { query: 'When?' })) continue
  })
  expect(lines.map(({ level, path, status }) => [level, path, status])).toEqual([
    ['debug', '/agents/agt_1/query', 200],
    ['error', '/agents/agt_1/query', 200],
  ])
})

test('neither keys nor queries nor bodies are told', async () => {
  const { lines } = await told([refuse(400, 'invalid_request')], async (client) => {
    const body = { text: 'private text', metadata: { mark: 'private' } }
    await client.putDocument('dst_1', 'hours', body).catch(() => undefined)
    await client.putFile('dst_1', 'hours', new Blob(['private text']), { name: 'private' })
  })
  expect(lines).toHaveLength(2)
  expect(JSON.stringify(lines)).not.toMatch(/private|secret|Bearer|It did not work/)
})

test('no answer of a server that is not there is told with its address', async () => {
  const baseUrl = await silentUrl()
  const { lines, logger } = notebook()
  const client = new HastyClient({ baseUrl, logger, maxRetries: 1 })
  await client.getLiveness().catch(() => undefined)
  expect(lines.map(({ level }) => level)).toEqual(['warn', 'error'])
  expect(lines[1]!.message).toContain(`No answer came from ${baseUrl}: connect ECONNREFUSED`)
})

test('console is a logger', async () => {
  const debug = vi.spyOn(console, 'debug').mockReturnValue()
  const { url } = await startScripted(agents)
  const settings: Settings = { baseUrl: url, logger: console }
  await new AgentsDatastores(settings).listAgents()
  expect(debug).toHaveBeenCalledWith(
    expect.stringMatching(/^GET \/agents 200 in \d+ ms \(req_1\)$/),
    expect.objectContaining({ path: '/agents' }),
  )
  debug.mockRestore()
})

test('headers are sent with each request, and those of a call win', async () => {
  const { url, received } = await startScripted(refuse(503, 'overloaded'), agents)
  const headers = { 'X-Tenant': 'library', 'If-Match': '"default"' }
  const client = new HastyClient({ baseUrl: url, apiKey: secret, headers })
  await client.deleteAgent('agt_1')
  await client.deleteAgent('agt_1', { headers: { 'If-Match': '"own"' } })
  expect(received.map((request) => request.headers)).toMatchObject([
    { 'x-tenant': 'library', 'if-match': '"default"', authorization: `Bearer ${secret}` },
    { 'x-tenant': 'library', 'if-match': '"default"', authorization: `Bearer ${secret}` },
    { 'x-tenant': 'library', 'if-match': '"own"', authorization: `Bearer ${secret}` },
  ])
})

test('without a key Authorization may be among the headers', async () => {
  const { url, received } = await startScripted(agents)
  const headers = { Authorization: 'Basic cHJveHk=' }
  await new AgentsDatastores({ baseUrl: url, apiKey: '', headers }).listAgents()
  expect(received[0]!.headers.authorization).toBe('Basic cHJveHk=')
})

test('what no header can hold is refused at once, and a key is not repeated', async () => {
  const baseUrl = 'http://127.0.0.1:3000'
  const broken = { 'X-Tenant': 'a\nb' }
  expect(() => new AgentsDatastores({ baseUrl, headers: broken })).toThrow(TypeError)
  const apiKey = `${secret}\n${secret}`
  expect(() => new AgentsDatastores({ baseUrl, apiKey })).toThrow(/^(?!.*secret).*API key/)
  const { url, received } = await startScripted(agents)
  const own = new HastyClient({ baseUrl: url, apiKey: `${secret}\n` })
  await own.listAgents()
  expect(received[0]!.headers.authorization).toBe(`Bearer ${secret}`)
  const sent = own.deleteAgent('agt_1', { headers: { 'If-Match': 'a\nb' } })
  await expect(sent).rejects.toThrow(TypeError)
  expect([received.length, own.pauses]).toEqual([1, []])
})
