import { beforeAll, expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { checkedClient, temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { makeDatastore } from '../support/things.ts'
import { filesIn, openAzurite } from './stores/azurite.ts'
import { installStores } from './stores/process.ts'

/** What one server deletes while another writes to it. */

const deep = { tags: 'deep', timeout: 240_000 }

beforeAll(installStores, 600_000)

const aDayLater = 'const { now } = Date; Date.now = () => now() + 86_400_000'

async function openStore() {
  const store = await openAzurite(await temporaryDirectory())
  onTestFinished(store.end)
  const start = async (...nodeOptions: string[]) => {
    const settings = { INITIAL_KEY: testKey, LOG_LEVEL: 'warn', ...store.settings }
    const server = await spawnServer(settings, { nodeOptions })
    onTestFinished(() => server.kill('SIGKILL'))
    return { ...server, client: checkedClient(server.url) }
  }
  const filesOf = (datastore: string) =>
    filesIn(store.endpoint, `store/fragments_${datastore}.lance/`)
  return { start, filesOf }
}

test(
  'a datastore that another server writes to while it is deleted is off the store a day later',
  deep,
  async () => {
    const { start, filesOf } = await openStore()
    const [here, there] = [await start(), await start()]
    const left: string[] = []
    for (let round = 0; round < 20 && left.length < 2; round++) {
      const id = await makeDatastore(here.client)
      const isWritten = Promise.withResolvers<void>()
      let answered = 0
      const write = async () => {
        const body = { documents: [{ text: `Text of round ${round}.` }] }
        const written = { client: there.client, path: { datastoreId: id }, body }
        while ((await sdk.upsertDocuments(written)).response?.status === 200) {
          if (++answered === 40) isWritten.resolve()
        }
      }
      const writers = Array.from({ length: 4 }, write)
      await isWritten.promise
      await sdk.deleteDatastore({ client: here.client, path: { id }, throwOnError: true })
      await Promise.all(writers)
      if ((await filesOf(id)).length > 0) left.push(id)
    }
    expect(left).not.toEqual([])
    for (const server of [here, there]) {
      expect(server.errors()).not.toContain('could not be maintained')
      await server.kill('SIGTERM')
    }
    const later = await start('--import', `data:text/javascript,${aDayLater}`)
    for (const id of left) await expect.poll(() => filesOf(id), { timeout: 30_000 }).toEqual([])
    expect(later.errors()).toBe('')
  },
)
