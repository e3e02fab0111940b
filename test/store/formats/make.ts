/** Has a checkout make a small store: `node test/store/formats/make.ts CHECKOUT FORMAT`. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { json } from 'node:stream/consumers'
import { createClient } from '../../../generated/client/index.ts'
import * as sdk from '../../../generated/sdk.gen.ts'
import type { Scope } from '../../../generated/types.gen.ts'
import { spawnServer } from '../../support/server-process.ts'
import { makeAgent, makeDatastore, makeKey, upsert } from '../../support/things.ts'
import { contentsOf, type Holder } from './contents.ts'
import { documents, repeated } from './documents.ts'

const [checkout = '', format = ''] = process.argv.slice(2)
const directory = mkdtempSync(join(tmpdir(), 'format-'))
const ownKey = 'a-key-of-the-fixture-0123456789abcdef'
/** Those that every version knows. */
const scopes: Scope[] = [
  'agents:read',
  'agents:write',
  'datastores:read',
  'datastores:write',
  'keys:admin',
]

/** Answers as an embedding provider does, with vectors of four numbers. */
const provider = createServer((request, response) => {
  void json(request).then((body) => {
    const { input, model } = body as { input: string[]; model: string }
    const data = input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: [1, text.length % 7, text.length % 11, text.length % 13],
    }))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'list', data, model, usage: {} }))
  })
})
provider.listen(0, '127.0.0.1')
await once(provider, 'listening')

async function serving<T>(
  settings: NodeJS.ProcessEnv,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const all = { DATA_URI: directory, INITIAL_KEY: ownKey, ...settings }
  const server = await spawnServer(all, { service: resolve(checkout) })
  try {
    return await work(server.url)
  } finally {
    await server.kill('SIGTERM')
  }
}

const clientOf = (url: string, key: string) => createClient({ baseUrl: url, auth: () => key })

const holders = await serving({}, async (url): Promise<Holder[]> => {
  const client = clientOf(url, ownKey)
  const { key } = await makeKey(client, { workspace: 'ann', scopes })
  const ann = clientOf(url, key)
  await makeAgent(client, { name: 'Librarian', temperature: 0.25 })
  await makeAgent(ann, { name: 'Mechanic' })
  const library = await makeDatastore(client, 'library')
  const manuals = await makeDatastore(ann, 'manuals')
  const ids = await upsert(client, library, ...documents.slice(0, 6))
  await upsert(ann, manuals, ...documents.slice(6))
  await sdk.upsertDocuments({
    client,
    path: { datastoreId: library },
    ...repeated,
    throwOnError: true,
  })
  const body = { id: ids[1]!, text: 'The reading room opens at nine, also on Saturdays.' }
  await sdk.updateDatasource({ client, path: { datastoreId: library }, body, throwOnError: true })
  const gone = { id: library, datasourceId: ids[5]! }
  await sdk.deleteDatasource({ client, path: gone, throwOnError: true })
  return [
    { key: ownKey, datastores: [library] },
    { key, datastores: [manuals] },
  ]
})

const { port } = provider.address() as AddressInfo
const settings = {
  EMBEDDING_MODEL: 'stand-in-4',
  OPENAI_API_KEY: 'none',
  OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
}
await serving(settings, async (url) => {
  const client = clientOf(url, ownKey)
  const embedded = await makeDatastore(client, 'by a provider')
  await upsert(client, embedded, ...documents.slice(2, 4))
  holders[0]!.datastores.push(embedded)
})
provider.close()

const contents = await serving({}, (url) => contentsOf(holders, (key) => clientOf(url, key)))
const target = join(import.meta.dirname, format)
writeFileSync(`${target}.json`, JSON.stringify({ holders, contents }, null, 2) + '\n')
execFileSync('tar', ['-czf', `${target}.tar.gz`, '--exclude=owner.lock*', '-C', directory, '.'])
rmSync(directory, { recursive: true })
