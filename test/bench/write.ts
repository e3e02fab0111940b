import { connect } from '@lancedb/lancedb'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HashingEmbedder } from '../../src/embeddings/hashing-embedder.ts'
import { fragmentSchema, toTable } from '../../src/store/fragments/rows.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'
import { eventLoopDelay, watchingEventLoop } from './event-loop-delay.ts'

/**
 * Writes over HTTP, on the disk when answered, beside what LanceDB alone does: one document an
 * `add`, from 16 callers, and nothing on the disk. Run by `npm run bench:write`.
 */

const seconds = 8
const key = 'a-key-of-the-bench-0123456789abcdef'

const words = 'river granite lantern orchard meadow harbour copper willow saffron thunder'.split(
  ' ',
)
let made = 0

/** A text of about that many characters, unlike any other. */
function textOf(length: number): string {
  let text = `Note ${++made}.`
  for (let n = made; text.length < length; n = (n * 48_271 + 11) % 2_147_483_647) {
    text += ` ${words[n % words.length]}${n % 97}`
  }
  return text.slice(0, length)
}

/** How often a second `work` was done by that many callers, each one after the other. */
async function rate(callers: number, work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  const end = start + seconds * 1000
  let done = 0
  const call = async () => {
    while (performance.now() < end) {
      await work()
      done++
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  return (done / (performance.now() - start)) * 1000
}

/** LanceDB alone: the same rows, embedded before the clock starts. */
async function rawAdds(directory: string): Promise<number> {
  const embedder = new HashingEmbedder()
  const connection = await connect(directory)
  const table = await connection.createEmptyTable('raw', fragmentSchema(embedder.dimensions))
  const [vector] = await embedder.embed([textOf(700)], AbortSignal.timeout(1000))
  let failures = 0
  const result = await rate(16, async () => {
    const fragments = [{ offset: 0, text: textOf(700), words: new Uint8Array(), vector: vector! }]
    const id = `src_${made}`
    const fields = { name: '', metadata: null, source: '', customIds: [], digest: null }
    const times = { createdAt: '', updatedAt: '' }
    const rows = toTable([{ id, batch: id, ...fields, ...times, fragments }])
    // Side by side its commits can conflict until it gives up, which costs the rate and no more.
    await table.add(rows).catch(() => (failures += 1))
  })
  if (failures > 0) console.log(`raw LanceDB: ${failures} adds failed`)
  connection.close()
  return result
}

type Load = {
  name: string
  callers: number
  documents: number
  characters: number
  isKeyed: boolean
}

/** One load on a datastore of its own: documents a second, and the event loop's p99 meanwhile. */
async function measure(server: ServerProcess, load: Load) {
  const { id } = await post(server, '/datastores', { name: load.name })
  await eventLoopDelay(server)
  const requests = await rate(load.callers, async () => {
    const text = () => textOf(load.characters)
    const documents = Array.from({ length: load.documents }, () => ({ text: text() }))
    const headers = { ...(load.isKeyed && { 'Idempotency-Key': `key-${++made}` }) }
    await post(server, `/api/datastores/upsert/${id}`, { documents }, headers)
  })
  return { rate: requests * load.documents, delay: await eventLoopDelay(server) }
}

const agent = new Agent({ keepAlive: true })

/**
 * Node's own client takes a third of the time that `fetch` does, which matters where the clients
 * share two cores with the server they measure.
 * @throws on any answer but success
 */
async function post(
  { url }: ServerProcess,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  const sent = request(new URL(path, url), {
    agent,
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
  })
  sent.end(JSON.stringify(body))
  const [response] = await once(sent, 'response')
  let answer = ''
  for await (const part of response.setEncoding('utf8')) answer += part
  if (response.statusCode >= 300) throw new Error(answer)
  return JSON.parse(answer)
}

const loads: Load[] = [
  { name: '1 client, key', callers: 1, documents: 1, characters: 700, isKeyed: true },
  { name: '16 clients, key', callers: 16, documents: 1, characters: 700, isKeyed: true },
  { name: '64 clients, key', callers: 64, documents: 1, characters: 700, isKeyed: true },
  { name: '16 clients', callers: 16, documents: 1, characters: 700, isKeyed: false },
  { name: '64 clients', callers: 64, documents: 1, characters: 700, isKeyed: false },
  { name: 'bulk of 100 x 700', callers: 4, documents: 100, characters: 700, isKeyed: true },
  { name: 'bulk of 100 x 2,000', callers: 4, documents: 100, characters: 2000, isKeyed: true },
]

const directory = await mkdtemp(join(tmpdir(), 'agents-datastores-bench-'))
const settings = { DATA_URI: join(directory, 'served'), INITIAL_KEY: key, LOG_LEVEL: 'warn' }
const server = await spawnServer(settings, watchingEventLoop)
try {
  const before = await rawAdds(join(directory, 'before'))
  const results = []
  for (const load of loads) results.push({ name: load.name, ...(await measure(server, load)) })
  const after = await rawAdds(join(directory, 'after'))
  const raw = (before + after) / 2
  console.log(`raw LanceDB, 16 callers: ${before.toFixed(0)}/s before, ${after.toFixed(0)}/s after`)
  for (const { name, rate: documents, delay } of results) {
    const ratio = (documents / raw).toFixed(1)
    console.log(
      `${name.padEnd(22)} ${documents.toFixed(0).padStart(6)} documents/s ${ratio.padStart(6)} x raw, event loop p99 ${delay.toFixed(0)} ms`,
    )
  }
} finally {
  await server.kill('SIGTERM')
  await rm(directory, { recursive: true, force: true, maxRetries: 5 })
}
