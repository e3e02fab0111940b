/**
 * `npm run bench:servers`: upserts a second into one datastore, and hybrid queries a second of another, by
 * one, two and three servers on one object store (Azurite), beside what one server does.
 */
import { join } from 'node:path'
import { openAzurite } from '../test/peers/stores/azurite.ts'
import { installStores } from '../test/peers/stores/process.ts'
import { callLoad } from './load.ts'
import { whenIdle } from './processes.ts'
import { argumentsOf, runBench } from './run.ts'
import { newDatastore, post, type Service, startService, upsertPath } from './service.ts'
import { type Cell, cellOf, medianOf, takeTurns } from './contenders.ts'
import { circumstances, table } from './table.ts'

const defaults = { seconds: 10, rounds: 3, clients: 16, servers: 3 }
const { versions, seconds, rounds, clients, servers: most } = argumentsOf(defaults)
const pace = { seconds, warmUp: 2 }
const words = 'river granite lantern orchard meadow harbour copper willow saffron'.split(' ')
let made = 0

/** A text unlike any other. */
const textOf = (number: number) =>
  `Note ${number}. ${words.map((word, n) => `${word}${(number * (n + 7)) % 97}`).join(' ')}.`

/** Each client keeps to its server, as behind a proxy that knows its clients. */
function callsOf(services: Service[], send: (service: Service) => Promise<unknown>) {
  let asked = 0
  const free = Array.from({ length: clients }, (_, client) => client)
  return async () => {
    const client = free.shift() ?? asked++
    await send(services[client % services.length]!).finally(() => free.push(client))
  }
}

async function upserts(services: Service[]) {
  const path = upsertPath(await newDatastore(services[0]!))
  const send = (service: Service) => post(service, path, { documents: [{ text: textOf(++made) }] })
  return callLoad(callsOf(services, send), clients, pace)
}

function queries(services: Service[], id: string) {
  const body = () => ({
    query: `${words[++made % words.length]}${made % 97}`,
    topK: 10,
    mode: 'hybrid',
  })
  const send = (service: Service) => post(service, `/datastores/${id}/query`, body())
  return callLoad(callsOf(services, send), clients, pace)
}

/** A datastore for queries. */
async function filled(service: Service): Promise<string> {
  const id = await newDatastore(service)
  for (let upsert = 0; upsert < 4; upsert++) {
    const documents = Array.from({ length: 500 }, () => ({ text: textOf(++made) }))
    await post(service, upsertPath(id), { documents })
  }
  await whenIdle(service.pid)
  return id
}

await runBench(async (data, started) => {
  await installStores()
  const cells: Cell[] = []
  for (const version of versions) {
    const store = await openAzurite(join(data, version.name))
    started.defer(store.end)
    const services: Service[] = []
    for (let n = 0; n < most; n++)
      services.push(await startService(started, version, store.settings))
    const id = await filled(services[0]!)
    for (let n = 1; n <= most; n++) {
      const some = services.slice(0, n)
      const name = `${version.name}, ${n} ${n === 1 ? 'server' : 'servers'}`
      cells.push(
        cellOf({ name: `${name}: upserts`, load: () => upserts(some) }, clients),
        cellOf({ name: `${name}: queries`, load: () => queries(some, id) }, clients),
      )
    }
  }
  await takeTurns(cells, rounds)
  const rows = cells.map((cell, place) => {
    const alone = cells[place - (place % (2 * most)) + (place % 2)]!
    const times = [medianOf(cell, 'p50'), medianOf(cell, 'p95')]
    const rate = medianOf(cell, 'rate')
    return [cell.name, rate, rate / medianOf(alone, 'rate'), ...times]
  })
  console.log(
    table([['', 'a second', '/ one server', 'p50 ms', 'p95 ms'], ...rows]),
    circumstances(),
  )
})
