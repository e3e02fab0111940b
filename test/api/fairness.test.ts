import { afterAll, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { type CreateKey, Scope } from '../../generated/types.gen.ts'
import { sendAnswer } from '../support/chat-answers.ts'
import { docxOfBody } from '../support/documents/packages.ts'
import { Provider, recorded, sendJson } from '../support/provider.ts'
import { checkedClient, openServer, temporaryDirectory } from '../support/server.ts'
import {
  makeAgent,
  makeDatastore,
  makeKey,
  makeLearnedAgent,
  query as search,
} from '../support/things.ts'

/** One workspace asks for more than it may have at once, and another asks once. */

const provider = await Provider.start()
const { settings, chat } = provider
// The reading of files ends with the server.
const server = await openServer({
  dataUri: await temporaryDirectory(),
  requestTimeout: 600,
  provider: settings,
  chat,
})
afterAll(server.close)
const { url } = server

const flooding = await openWorkspace('flood')
const calm = await openWorkspace('calm')
await makeDatastore(flooding.client, 'second')

/** Whatever mentions a flood is answered by the provider only when it ends. */
let floodEnds = Promise.withResolvers<void>()
provider.behaviour = async (call, response) => {
  if (call.body.input.some((text) => text.includes('flood'))) await floodEnds.promise
  sendJson(response, 200, recorded(call))
}
provider.chatBehaviour = async (call, response) => {
  if (JSON.stringify(call.body).includes('flood')) await floodEnds.promise
  await sendAnswer(call, response)
}

async function openWorkspace(workspace: string) {
  const scopes: CreateKey['scopes'] = [
    Scope.AGENTS_READ,
    Scope.AGENTS_WRITE,
    Scope.AGENTS_QUERY,
    Scope.DATASTORES_READ,
    Scope.DATASTORES_WRITE,
  ]
  const { key } = await makeKey(server.client, { workspace, scopes })
  const client = checkedClient(url, key)
  const made = await makeLearnedAgent(client, ['The library opens at nine.'])
  return { client, key, ...made }
}

type Workspace = Pick<typeof calm, 'client' | 'key' | 'agent' | 'datastore'>
type Ask = (workspace: Workspace, text: string) => Promise<Response | undefined>

const query: Ask = async ({ client, datastore: id }, text) =>
  (await sdk.queryDatastore({ client, path: { id }, body: { query: text } })).response

const question: Ask = async ({ client, agent: id }, text) =>
  (await sdk.queryAgent({ client, path: { id }, body: { query: text, store: false } })).response

const streamedQuestion: Ask = async ({ key, agent }, text) => {
  const body = JSON.stringify({ query: text, store: false, streaming: true })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/agents/${agent}/query`, { method: 'POST', headers, body })
  expect(await response.text()).toMatch(/^event: done$|too_many_requests/m)
  return response
}

const mcpSearch: Ask = ({ key }, text) => {
  const params = { name: 'search', arguments: { query: text } }
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
}

const write: Ask = async ({ client, datastore: datastoreId }, text) => {
  const body = { documents: [{ text }] }
  return (await sdk.upsertDocuments({ client, path: { datastoreId }, body })).response
}

/** Small as a file, and takes long to read. */
const slowFile = docxOfBody('<w:p/>'.repeat(5_000_000))
const shortFile = docxOfBody('<w:p><w:r><w:t>The museum opens at ten.</w:t></w:r></w:p>')

const file: Ask = async ({ client, datastore: id }, text) => {
  const bytes = new Uint8Array(text.includes('flood') ? slowFile : shortFile)
  const body = { file: new File([bytes], 'file.docx') }
  return (await sdk.uploadFile({ client, path: { id }, body })).response
}

/** So many requests at once, of which all but `most` are refused. */
async function flood(count: number, most: number, ask: Ask): Promise<Promise<number>[]> {
  floodEnds = Promise.withResolvers<void>()
  const refused: Response[] = []
  const asked = Array.from({ length: count }, async () => {
    const response = await ask(flooding, 'When does the flood come?')
    if (response?.status === 429) refused.push(response)
    return response?.status ?? 0
  })
  await expect.poll(() => refused.length, { timeout: 110_000 }).toBe(count - most)
  for (const { headers } of refused) expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
  return asked
}

const floods: [name: string, most: number, ask: Ask, kind: string, tags: string[]][] = [
  ['queries', 256, query, 'queries', []],
  ['searches of an assistant in two datastores', 256, mcpSearch, 'queries', ['deep']],
  ['questions', 256, streamedQuestion, 'questions', ['deep']],
  ['writes', 1_024, write, 'writes', ['deep']],
]

for (const [name, most, ask, kind, tags] of floods) {
  test(
    `429: of many ${name} at once a workspace has ${most} waiting, and what else is asked, or by another one, is answered`,
    { tags },
    async () => {
      const asked = await flood(most + 4, most, ask)
      expect((await ask(calm, 'When does the library open?'))?.ok).toBe(true)
      // What has a budget of its own, and needs no provider.
      const { client, datastore: id } = flooding
      if (kind !== 'writes') await makeAgent(client)
      if (kind !== 'queries') await search(client, id, { query: 'library', mode: 'keyword' })
      const { data } = await sdk.getMetrics({ client: server.client, throwOnError: true })
      expect(data).toContain(`http_requests_in_flight{kind="${kind}"} ${most}\n`)

      floodEnds.resolve()
      const statuses = await Promise.all(asked)
      expect(statuses.filter((status) => status === 200)).toHaveLength(most)
      expect((await ask(flooding, 'When does the library open?'))?.ok).toBe(true)
    },
  )
}

test('of many refusals the later ones wait, so that others are answered before', async () => {
  const [most, refusals] = [256, 60]
  floodEnds = Promise.withResolvers<void>()
  const refused = Promise.withResolvers<void>()
  let count = 0
  const asked = Array.from({ length: most + refusals }, async () => {
    const response = await query(flooding, 'When does the flood come?')
    if (response?.status !== 429) return
    count += 1
    refused.resolve()
  })
  await refused.promise
  await sdk.getAgent({ client: calm.client, path: { id: calm.agent }, throwOnError: true })
  expect(count).toBeLessThan(refusals)
  await expect.poll(() => count).toBe(refusals)
  floodEnds.resolve()
  await Promise.all(asked)
})

test('questions by keyword are answered while a provider is slow to embed those of their workspace', async () => {
  const { client, key } = flooding
  const byKeyword = await makeLearnedAgent(client, ['It closes at ten.'], {}, { mode: 'keyword' })
  floodEnds = Promise.withResolvers<void>()
  const calls = provider.calls.length
  const asked = Array.from({ length: 20 }, (_, n) => question(flooding, `Which flood was ${n}?`))
  await expect.poll(() => provider.calls.length).toBeGreaterThanOrEqual(calls + 7)
  expect((await question({ client, key, ...byKeyword }, 'When does it close?'))?.ok).toBe(true)
  floodEnds.resolve()
  for (const answer of await Promise.all(asked)) expect(answer?.ok).toBe(true)
})

test(
  '429: of 20 files that take long, a workspace has 16 waiting, and that of another one is read',
  { tags: 'deep' },
  async () => {
    const asked = await flood(20, 16, file)
    expect((await file(calm, 'When does the museum open?'))?.ok).toBe(true)
    // The server is closed before they are read.
    void Promise.allSettled(asked)
  },
)
