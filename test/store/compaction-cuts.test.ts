import { readdirSync, readFileSync, statSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { tableNameOf } from '../../src/store/fragments/fragments.ts'
import { Compaction } from '../../src/store/table/compaction.ts'
import { bytesIn } from '../support/bytes-in.ts'
import { childrenOf } from '../support/children.ts'
import { largeStore } from '../support/large-store.ts'
import { checkedClient, testKey } from '../support/server.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'
import { query, upsert } from '../support/things.ts'

/** Another process compacts a table with more than 10,000 rows. */
const rows = Number(process.env.CUT_ROWS ?? 16_000)
const cutsOfEachKind = Number(process.env.CUTS ?? 0)
const patience = { interval: 5, timeout: 120_000 }
const heldBy = { hold: () => Promise.resolve(), release: () => undefined }

/** A closed store with a datastore that lacks nothing, and how many bytes that takes. */
async function closedStore() {
  const { dataUri, id, database, table, addLast } = await largeStore(['The heron waits.'], rows)
  await database.jobs.run(table, { kind: 'index' })
  const compaction = new Compaction(table, heldBy, database.jobs)
  await compaction.compact()
  // The next one removes the files that this one has replaced.
  await addLast()
  await compaction.compact()
  const alive = bytesIn(dataUri)
  // LanceDB rewrites all rows once a tenth is deleted.
  await table.commit(0, async (lance) => void (await lance.delete("words LIKE 'text word1%'")))
  database.close()
  const mark = join(dataUri, `${tableNameOf(id)}.lance`, '.tmp-job')
  return { dataUri, id, mark, alive }
}

async function start(dataUri: string, id: string) {
  const settings = { DATA_URI: dataUri, INITIAL_KEY: testKey, LOG_LEVEL: 'warn' }
  const server = await spawnServer(settings)
  onTestFinished(() => server.kill('SIGKILL'))
  const client = checkedClient(server.url)
  const find = async () => expect(await query(client, id, { query: 'heron' })).not.toEqual([])
  return { server, client, find }
}

const jobOf = ({ process: { pid } }: ServerProcess): number | undefined =>
  childrenOf(pid!).find((child) =>
    readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('job-main'),
  )

/** Ends it while a compaction is under way, which makes no headway meanwhile. */
async function cut(server: ServerProcess, signal: NodeJS.Signals, isUnderWay: () => boolean) {
  const job = await vi.waitUntil(() => isUnderWay() && jobOf(server), patience)
  process.kill(job, 'SIGSTOP')
  await server.kill(signal)
  if (signal === 'SIGKILL') process.kill(job, 'SIGCONT')
  await vi.waitUntil(() => !readdirSync('/proc').includes(String(job)), patience)
}

test.runIf(process.platform === 'linux' && cutsOfEachKind > 0)(
  'a compaction that stops and kills have broken off leaves nothing, and is put off by the next start',
  { timeout: cutsOfEachKind * 600_000 },
  async () => {
    const { dataUri, id, mark, alive } = await closedStore()
    const first = await start(dataUri, id)
    // A later start finds that no index holds this, and compacts.
    await upsert(first.client, id, 'The otter swims.')
    await first.server.kill('SIGKILL')
    for (let cuts = 0; cuts < 2 * cutsOfEachKind; cuts++) {
      const { server, find } = await start(dataUri, id)
      const [signal, grown] = [cuts % 2 ? 'SIGKILL' : 'SIGTERM', alive * 1.3] as const
      // A search opens the table. Its answer may come when the compaction is done.
      const found = find().catch(() => undefined)
      await cut(server, signal, () => bytesIn(dataUri) > grown)
      await found
      expect(statSync(mark).isFile()).toBe(true)
      // As if it had been a while ago.
      await utimes(mark, 0, 0)
    }
    await utimes(mark, new Date(), new Date())
    const { mtimeMs } = statSync(mark)
    const last = await start(dataUri, id)
    await last.find()
    await upsert(last.client, id, 'The badger digs.')
    await expect.poll(() => bytesIn(dataUri) / alive, { timeout: 60_000 }).toBeLessThan(1.5)
    await last.server.kill('SIGTERM')
    expect(statSync(mark).mtimeMs).toBe(mtimeMs)
  },
)
