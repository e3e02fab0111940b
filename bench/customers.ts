/**
 * `npm run bench:customers -- DIR`: queries a second of 64 clients who search all of a datastore, and of
 * 64 who each search what one of a hundred customers has in it.
 */
import { join } from 'node:path'
import { readCollection } from './collection.ts'
import { httpLoad, inTurn } from './load.ts'
import { argumentsOf, runBench } from './run.ts'
import { headers, type Mode, startService, storeTexts } from './service.ts'
import { type Cell, cellOf, medianOf, takeTurns } from './contenders.ts'
import { circumstances, table } from './table.ts'
import { cutTexts, questionsOf } from './texts.ts'

const defaults = {
  folder: '',
  fragments: 20_000,
  customers: 100,
  seconds: 4,
  rounds: 3,
  clients: 64,
}
const { versions, folder, fragments, customers, seconds, rounds, clients } = argumentsOf(defaults)
const pace = { seconds, warmUp: 1 }
const { documents, queries } = readCollection(folder)
const texts = cutTexts(documents, fragments).map((text, index) => {
  const customer = `c${index % customers}`
  return { ...text, metadata: { custom_id: customer, customer } }
})
const asked = queries.map(({ text }) => text)
const questions = questionsOf(asked, documents, 2_000)

/** What the nth query asks beside its words. */
const kinds: Record<string, (n: number) => object> = {
  'no filter': () => ({ topK: 10 }),
  'one filter': () => ({ topK: 10, filters: { custom_ids: ['c1'] } }),
  'custom_ids of each': (n) => ({ topK: 10, filters: { custom_ids: [`c${n % customers}`] } }),
  'metadata of each': (n) => ({
    topK: 10,
    filters: { metadata: { type: 'eq', key: 'customer', value: `c${n % customers}` } },
  }),
  'topK 1 to 100': (n) => ({ topK: 1 + (n % 100) }),
}

const modes: Mode[] = ['vector', 'hybrid']

await runBench(async (data, started) => {
  const cells: Cell[] = []
  for (const version of versions) {
    const service = await startService(started, version, join(data, version.name))
    const { id } = await storeTexts(service, texts)
    const path = `/datastores/${id}/query`
    for (const mode of modes) {
      for (const [kind, rest] of Object.entries(kinds)) {
        const bodies = questions.map((query, n) => JSON.stringify({ query, mode, ...rest(n) }))
        const target = { url: service.url, path, headers, next: inTurn(bodies) }
        const load = (count: number) => httpLoad(target, count, pace)
        cells.push(cellOf({ name: `${version.name}, ${mode}, ${kind}`, load }, clients))
      }
    }
  }
  await takeTurns(cells, rounds)
  const rows = cells.map((cell) => {
    const plain = cells.find(({ name }) => name === `${modeOf(cell)}, no filter`)!
    const rates = [medianOf(cell, 'rate'), medianOf(cell, 'rate') / medianOf(plain, 'rate')]
    return [cell.name, ...rates, medianOf(cell, 'p50'), medianOf(cell, 'p99')]
  })
  const head = ['queries/s', 'of no filter', 'p50 ms', 'p99 ms']
  console.log(table([[`${texts.length} fragments`, ...head], ...rows]), circumstances())
})

function modeOf({ name }: Cell): string {
  return name.split(', ').slice(0, 2).join(', ')
}
