import { randomUUID } from 'node:crypto'
import { cpSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { type Client, createClient } from '../../generated/client/index.ts'
import { createKey } from '../../generated/sdk.gen.ts'
import { Scope } from '../../generated/types.gen.ts'
import type { Config } from '../../src/config/config.ts'
import { type ConnectionLimits, HttpServer } from '../../src/http/server.ts'
import { openService } from '../../src/service/service.ts'
import { Database } from '../../src/store/database/database.ts'
import { contractFetch } from './contract-fetch.ts'

export const testKey = 'a-key-of-the-tests-0123456789abcdef'

/** A client whose every answer is checked against the contract. */
/** With '' no key is sent. */
export const checkedClient = (url: string, key = testKey): Client =>
  createClient({ baseUrl: url, auth: () => key, fetch: contractFetch })

export type TestServer = {
  url: string
  client: Client
  /** The lines it logged. */
  logged: Record<string, unknown>[]
  close(): Promise<void>
}

type Settings = Partial<
  Pick<Config, 'dataUri' | 'durability' | 'requestTimeout' | 'provider' | 'chat' | 'corsOrigins'>
> & {
  connections?: ConnectionLimits
  eraseHours?: number
  conversationDays?: number
  port?: number
  readFreshness?: number
  serverName?: string
}

/** An empty directory, which goes once all tests are done. */
export const temporaryDirectory = (): Promise<string> =>
  mkdtemp(join(tmpdir(), 'agents-datastores-'))

/** The store of a directory, or of an address as on an object store. */
export const openDatabase = (dataUri: string): Promise<Database> =>
  Database.open({ dataUri, durability: 'fsync' }, pino({ level: 'silent' }))

let empty: Promise<string> | undefined

/** A copy of the store of a server that was started and stopped, which takes half of the time of a first start. */
async function emptyStore(): Promise<string> {
  const store = await (empty ??= makeEmptyStore())
  const copy = await temporaryDirectory()
  cpSync(store, copy, { recursive: true })
  return copy
}

async function makeEmptyStore(): Promise<string> {
  const dataUri = await temporaryDirectory()
  const { close } = await openServer({ dataUri })
  await close()
  return dataUri
}

/** The real service on a free port and an empty store, stopped after the file's tests. */
export async function startServer(settings: Settings = {}): Promise<TestServer> {
  const dataUri = settings.dataUri ?? (await emptyStore())
  const server = await openServer({ ...settings, dataUri })
  afterAll(server.close)
  return server
}

let shared: Promise<{ app: RequestListener; client: Client }> | undefined

/**
 * An address of the one server that all files of a worker share, which is far quicker than one of their
 * own. There the tests' key is that of a workspace of the file alone.
 */
export async function joinServer(): Promise<Pick<TestServer, 'url' | 'client'>> {
  const { app, client } = await (shared ??= openShared())
  const body = { name: 'A file.', workspace: randomUUID(), scopes: Object.values(Scope) }
  const { data } = await createKey({ client, body, throwOnError: true })
  const server = new HttpServer((request, response) => {
    const { headers } = request
    if (headers.authorization === `Bearer ${testKey}`) headers.authorization = `Bearer ${data.key}`
    app(request, response)
  }, 60)
  const url = await server.listen(0, '127.0.0.1')
  afterAll(() => server.stop(1000))
  return { url, client: checkedClient(url) }
}

/** It ends with the worker. */
async function openShared() {
  const { app, client } = await openServer({ dataUri: await temporaryDirectory() })
  return { app, client }
}

/** As `startServer`, but the caller closes it. */
export async function openServer(
  settings: Settings & { dataUri: string },
): Promise<TestServer & { app: RequestListener }> {
  const logged: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: (line) => logged.push(JSON.parse(line)) })
  const {
    dataUri,
    requestTimeout = 60,
    durability = 'fsync',
    provider,
    chat,
    corsOrigins = [],
  } = settings
  const { eraseHours, conversationDays, readFreshness = 0, serverName } = settings
  const forgetting = {
    ...(eraseHours !== undefined && { eraseHours }),
    ...(conversationDays !== undefined && { conversationDays }),
  }
  const config = {
    dataUri,
    durability,
    readFreshness,
    serverName,
    requestTimeout,
    provider,
    chat,
    corsOrigins,
    ...forgetting,
  }
  const service = await openService(config, log)
  await service.keys.ensureFirst(testKey)
  const server = new HttpServer(service.app, requestTimeout, settings.connections)
  const url = await server.listen(settings.port ?? 0, '127.0.0.1')
  let closed: Promise<void> | undefined
  const close = () => (closed ??= server.stop(1000).then(() => service.close()))
  return { app: service.app, url, client: checkedClient(url), logged, close }
}
