import { type ServerProcess, spawnServer } from '../test/support/server-process.ts'
import type { Text } from './collection.ts'
import { httpLoad, inTurn, type Pace, type Target } from './load.ts'
import { whenIdle } from './processes.ts'
import type { Version } from './run.ts'
import type { Found, Retrieval, Contender } from './contenders.ts'

export type Mode = 'keyword' | 'vector' | 'hybrid'

const key = 'the-key-of-the-benches-0123456789'
export const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
/** The contract allows no more. */
const documentsAnUpsert = 500

/** A server of a version of the service. */
export type Service = Version & { server: ServerProcess; url: string; pid: number }

/** Starts one with its data in a directory, or in a store of these settings, until what was started is stopped. */
export async function startService(
  started: AsyncDisposableStack,
  version: Version,
  store: string | NodeJS.ProcessEnv,
  nodeOptions: string[] = [],
): Promise<Service> {
  const place = typeof store === 'string' ? { DATA_URI: store } : store
  const settings = { INITIAL_KEY: key, LOG_LEVEL: 'warn', ...place }
  const server = await spawnServer(settings, { service: version.checkout, nodeOptions })
  started.defer(() => server.kill('SIGTERM'))
  return { ...version, server, url: server.url, pid: server.process.pid! }
}

/** @throws with the answer, when it is anything but success */
export async function post<Result>(
  { url }: Service,
  path: string,
  body: object,
  method = 'POST',
): Promise<Result> {
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Result
}

/** The id of a new datastore. */
export async function newDatastore(service: Service, fields: object = {}): Promise<string> {
  return (await post<{ id: string }>(service, '/datastores', { name: 'bench', ...fields })).id
}

export const upsertPath = (datastoreId: string): string => `/api/datastores/upsert/${datastoreId}`

/** A collection in a datastore, with the numbers of its texts by the ids they are stored under. */
export type Stored = { service: Service; id: string; numberOf: Map<string, string> }

/** Stores the texts in a datastore of their own, and waits until the server has nothing left to do. */
export async function storeTexts(
  service: Service,
  texts: (Text & { name?: string; metadata?: object })[],
): Promise<Stored> {
  const id = await newDatastore(service)
  const numberOf = new Map<string, string>()
  for (let start = 0; start < texts.length; start += documentsAnUpsert) {
    const some = texts.slice(start, start + documentsAnUpsert)
    const documents = some.map(({ text, name = '', metadata = {} }) => ({ text, name, metadata }))
    const { ids } = await post<{ ids: string[] }>(service, upsertPath(id), { documents })
    ids.forEach((one, place) => numberOf.set(one, some[place]!.number))
  }
  await whenIdle(service.pid)
  return { service, id, numberOf }
}

/** A document may be several of the fragments found, so fewer documents than `topK` may come. */
export function retrievalOf({ service, id, numberOf }: Stored, mode: Mode): Retrieval {
  type Fragment = { datasource_id: string; score: number }
  return {
    name: `${service.name}, ${mode}`,
    async ask(query, topK) {
      const asked = { query, topK, mode }
      const found = await post<Fragment[]>(service, `/datastores/${id}/query`, asked)
      const best = new Map<string, Found>()
      for (const { datasource_id: document, score } of found) {
        const number = numberOf.get(document) ?? ''
        if (!best.has(number)) best.set(number, { number, score })
      }
      return [...best.values()]
    },
  }
}

type Served = Contender & { target: Target }

/** Load of queries with these questions in turn, each for ten fragments. */
export function contenderOf(stored: Stored, mode: Mode, questions: string[], pace: Pace): Served {
  const path = `/datastores/${stored.id}/query`
  const bodies = questions.map((query) => JSON.stringify({ query, topK: 10, mode }))
  const target = { url: stored.service.url, path, headers, next: inTurn(bodies) }
  const load = (clients: number) => httpLoad(target, clients, pace)
  return { ...retrievalOf(stored, mode), clients: [1, 16, 64, 128], target, load }
}
