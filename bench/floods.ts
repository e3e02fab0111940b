import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { formOf, formType } from './file-form.ts'
import { httpLoad, type Pace, patientLoad } from './load.ts'
import { post, type Service, upsertPath } from './service.ts'

/** A workspace with an agent that knows one datastore. */
export type Workspace = {
  url: string
  headers: Record<string, string>
  datastore: string
  agent: string
}

type Sent = { path: string; method?: string; type?: string; body?: string }

/** A resource: a moderate request for it, and what floods it for some time. */
export type Flood = {
  name: string
  /** How many moderate requests a second all other workspaces make together. */
  perSecond: number
  ask: (workspace: Workspace, number: number) => Sent
  flood: (workspace: Workspace, pace: Pace) => Promise<unknown>
}

const scopes = [
  'agents:read',
  'agents:write',
  'agents:query',
  'datastores:read',
  'datastores:write',
]
const facts = 'The library opens at nine. Books may be kept for four weeks. '

export async function openWorkspace(service: Service, workspace: string): Promise<Workspace> {
  const { key } = await post<{ key: string }>(service, '/keys', { name: 'x', workspace, scopes })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const send = async (path: string, body: object, method = 'POST') => {
    const answer = await fetch(service.url + path, { method, headers, body: JSON.stringify(body) })
    return (await answer.json()) as { id: string }
  }
  const { id: datastore } = await send('/datastores', { name: 'facts' })
  const { id: agent } = await send('/agents', { name: 'x', description: 'x' })
  const documents = Array.from({ length: 100 }, (_, n) => ({ text: `${n}. ${facts.repeat(9)}` }))
  await send(upsertPath(datastore), { documents })
  await send(`/agents/${agent}/knowledge`, { datastoreIds: [datastore] }, 'PUT')
  return { url: service.url, headers, datastore, agent }
}

const query: Flood['ask'] = ({ datastore }, n) => ({
  path: `/datastores/${datastore}/query`,
  body: JSON.stringify({ query: `How long may books be kept, ${n}?` }),
})
const question: Flood['ask'] = ({ agent }, n) => ({
  path: `/agents/${agent}/query`,
  body: JSON.stringify({ query: `How long may books be kept, ${n}?`, store: false }),
})
const upsert =
  (documents: number): Flood['ask'] =>
  ({ datastore }, n) => ({
    path: upsertPath(datastore),
    body: JSON.stringify({
      documents: Array.from({ length: documents }, () => ({ text: `${n} ${facts}` })),
    }),
  })
const file =
  (paragraphs: number): Flood['ask'] =>
  ({ datastore }, n) => ({
    path: `/datastores/${datastore}/files`,
    type: formType,
    body: formOf(`<!doctype html>${`<p>${n} ${facts}`.repeat(paragraphs)}`, {
      key: `${n % 8}`,
    }).toString(),
  })

const clients =
  (count: number, ask: Flood['ask'], load = patientLoad): Flood['flood'] =>
  (workspace, pace) => {
    const { url } = workspace
    const { path, type } = ask(workspace, 0)
    const headers = { ...workspace.headers, ...(type && { 'Content-Type': type }) }
    let sent = 0
    const next = () => ({ body: ask(workspace, sent++).body! })
    return load({ url, path, headers, next }, count, pace)
  }

/** So many agents of such prompts are listed in some twenty megabytes. */
const [agents, promptLength] = [60, 300_000]

/** Clients that ask for a long list and read nothing. */
const readers =
  (count: number): Flood['flood'] =>
  async (workspace, { seconds, warmUp }) => {
    const { url, headers } = workspace
    const body = JSON.stringify({
      name: 'x',
      description: 'x',
      systemPrompt: 'x'.repeat(promptLength),
    })
    for (let made = 0; made < agents; made++) {
      await fetch(`${url}/agents`, { method: 'POST', headers, body })
    }
    const end = performance.now() + (seconds + warmUp) * 1000
    const ask = async () => {
      while (performance.now() < end) {
        const socket = connect(Number(new URL(url).port), '127.0.0.1').pause()
        socket.on('error', () => socket.destroy())
        socket.write(
          `GET /agents?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.Authorization}\r\n\r\n`,
        )
        await Promise.race([once(socket, 'close'), setTimeout(end - performance.now())])
        socket.destroy()
        await setTimeout(500)
      }
    }
    await Promise.all(Array.from({ length: count }, ask))
  }

export const floods: Flood[] = [
  { name: 'queries', perSecond: 18, ask: query, flood: clients(400, query) },
  {
    name: 'queries, again at once',
    perSecond: 18,
    ask: query,
    flood: clients(400, query, httpLoad),
  },
  { name: 'questions', perSecond: 18, ask: question, flood: clients(400, question) },
  { name: 'writes', perSecond: 18, ask: upsert(1), flood: clients(64, upsert(200)) },
  { name: 'files', perSecond: 0.5, ask: file(1), flood: clients(40, file(10_000)) },
  {
    name: 'answers',
    perSecond: 18,
    ask: ({ agent }) => ({ path: `/agents/${agent}`, method: 'GET' }),
    flood: readers(60),
  },
]
