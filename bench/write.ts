/**
 * `npm run bench:write`: documents a second over HTTP, on the disk when answered, beside what LanceDB
 * alone does: one document an `add`, from 16 callers, and nothing on the disk. Last, documents of 600 to 5,000
 * characters by key, new ones and in the place of others, among 20,000.
 */
import { join } from 'node:path'
import { rawAdds } from './lancedb.ts'
import { httpLoad, type Load } from './load.ts'
import { argumentsOf, runBench } from './run.ts'
import {
  headers,
  newDatastore,
  post,
  type Service,
  startService,
  storeTexts,
  upsertPath,
} from './service.ts'
import { cellOf, medianOf, takeTurns } from './contenders.ts'
import { circumstances, table } from './table.ts'

const { versions, seconds, rounds } = argumentsOf({ seconds: 4, rounds: 2 })
const pace = { seconds, warmUp: 0.5 }
/** A compaction may hold puts over others up for seconds. */
const paceOfPuts = { seconds: 4 * seconds, warmUp: 0.5 }

/** What each client sends, one request after the other. */
const kinds = [
  { clients: 1, documents: 1, length: 700, isKeyed: true },
  { clients: 16, documents: 1, length: 700, isKeyed: true },
  { clients: 64, documents: 1, length: 700, isKeyed: true },
  { clients: 16, documents: 1, length: 700, isKeyed: false },
  { clients: 64, documents: 1, length: 700, isKeyed: false },
  { clients: 4, documents: 100, length: 700, isKeyed: true },
  { clients: 4, documents: 100, length: 2000, isKeyed: true },
]

const words = 'river granite lantern orchard meadow harbour copper willow saffron'.split(' ')
let made = 0

/** A text of about that many characters, unlike any other. */
function textOf(length: number): string {
  let text = `Note ${++made}.`
  for (let n = made; text.length < length; n = (n * 48_271 + 11) % 2_147_483_647) {
    text += ` ${words[n % words.length]}${n % 97}`
  }
  return text.slice(0, length)
}

/** Load on a datastore of its own. */
async function upserts(service: Service, kind: (typeof kinds)[number]): Promise<Load> {
  const path = upsertPath(await newDatastore(service))
  const next = () => {
    const documents = Array.from({ length: kind.documents }, () => ({ text: textOf(kind.length) }))
    const body = JSON.stringify({ documents })
    return kind.isKeyed ? { body, headers: { 'Idempotency-Key': `key-${made}` } } : { body }
  }
  return await httpLoad({ url: service.url, path, headers, next }, kind.clients, pace)
}

const lengths = [600, 2600, 5000]
const keys = 64

/** Puts documents of keys that are new, or over those of a few keys. */
function puts(service: Service, id: string, isNew: boolean, clients: number): Promise<Load> {
  const path = `/datastores/${id}/documents`
  const next = () => {
    const text = textOf(lengths[made % lengths.length]!)
    const key = isNew ? `new-${made}` : `old-${made % keys}`
    return { path: `${path}/${key}`, body: JSON.stringify({ text }) }
  }
  return httpLoad({ url: service.url, path, method: 'PUT', headers, next }, clients, paceOfPuts)
}

/** A datastore of 20,000 fragments, and documents of those keys. */
async function filled(service: Service): Promise<string> {
  const texts = Array.from({ length: 20_000 }, (_, n) => ({ number: `${n}`, text: textOf(700) }))
  const { id } = await storeTexts(service, texts)
  for (let key = 0; key < keys; key++) {
    await post(service, `/datastores/${id}/documents/old-${key}`, { text: textOf(700) }, 'PUT')
  }
  return id
}

await runBench(async (data, started) => {
  let tables = 0
  const raw = () => rawAdds(join(data, `raw-${++tables}`), () => textOf(700), pace)
  const cells = [{ ...cellOf({ name: 'LanceDB, 16 callers', load: raw }, 1), documents: 1 }]
  const services: Service[] = []
  for (const version of versions) {
    services.push(await startService(started, version, join(data, version.name)))
  }
  for (const kind of kinds) {
    const { clients, documents, length, isKeyed } = kind
    for (const service of services) {
      const name = `${service.name}: ${clients} clients, ${documents} x ${length}${isKeyed ? ', key' : ''}`
      cells.push({ ...cellOf({ name, load: () => upserts(service, kind) }, clients), documents })
    }
  }
  for (const service of services) {
    const id = await filled(service)
    for (const clients of [1, 16]) {
      for (const isNew of [true, false]) {
        const name = `${service.name}: ${clients} clients, put ${isNew ? 'new' : 'again'}, of 20,000`
        const load = () => puts(service, id, isNew, clients)
        cells.push({ ...cellOf({ name, load }, clients), documents: 1 })
      }
    }
  }
  await takeTurns(cells, rounds)
  const rateOf = (cell: (typeof cells)[number]) => cell.documents * medianOf(cell, 'rate')
  const rows = cells.map((cell) => {
    const times = [medianOf(cell, 'p50'), medianOf(cell, 'p99')]
    return [cell.name, rateOf(cell), rateOf(cell) / rateOf(cells[0]!), ...times]
  })
  const head = ['', 'documents/s', '/ LanceDB', 'p50 ms', 'p99 ms']
  console.log(table([head, ...rows]), circumstances())
})
