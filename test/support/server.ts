import { mkdtemp, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type Client, createClient } from '../../generated/client/index.ts'
import { openService } from '../../src/service.ts'
import { contractFetch } from './contract-fetch.ts'

export const testKey = 'a-key-of-the-tests-0123456789abcdef'

/** A client whose every answer is checked against the contract. */
export const checkedClient = (url: string, key: string | undefined = testKey): Client =>
  createClient({ baseUrl: url, auth: () => key, fetch: contractFetch })

export type TestServer = { url: string; client: Client; errors: unknown[]; close(): Promise<void> }

/** An empty directory, removed after the file's tests. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'agents-datastores-'))
  afterAll(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** The real service on a free port and an empty store, stopped after the file's tests. */
export async function startServer(): Promise<TestServer> {
  const errors: unknown[] = []
  const service = await openService(
    { dataUri: await temporaryDirectory(), initialKey: testKey },
    (error) => errors.push(error),
  )
  const server = createServer(service.app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await service.close()
  }
  afterAll(close)
  return { url, client: checkedClient(url), errors, close }
}
