import { pathToFileURL } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { openServer, temporaryDirectory } from '../support/server.ts'
import { makeAgent, makeConversation } from '../support/things.ts'

const day = 24 * 3_600_000
const begun = Date.now()

afterEach(() => vi.useRealTimers())

/** Starts servers on one store at times in days, one after the other; each looks once. */
class Store {
  readonly #dataUri: string
  readonly #logged: Record<string, unknown>[] = []

  constructor(dataUri: string) {
    this.#dataUri = dataUri
  }

  async at<T>(days: number, use: (client: Client) => Promise<T>, settings = {}): Promise<T> {
    const toFake = ['Date' as const, 'setInterval' as const, 'clearInterval' as const]
    vi.useFakeTimers({ toFake, now: begun + days * day })
    const { client, close, logged } = await openServer({ dataUri: this.#dataUri, ...settings })
    try {
      return await use(client)
    } finally {
      await close()
      this.#logged.push(...logged)
      vi.useRealTimers()
    }
  }

  /** @returns of how many conversations the log says by then that they were deleted */
  async look(days: number[], settings = {}): Promise<number> {
    for (const one of days) await this.at(one, async () => undefined, settings)
    return this.#logged.reduce((sum, { deleted }) => sum + Number(deleted ?? 0), 0)
  }

  get reasons(): unknown[] {
    return this.#logged.flatMap(({ why }) => why ?? [])
  }
}

const makeStore = async () => new Store(await temporaryDirectory())

const converse = async (client: Client) => makeConversation(client, (await makeAgent(client)).id)

const statusOf = async (client: Client, id: string) =>
  (await sdk.getConversation({ client, path: { id } })).response?.status

test('conversations go once looks over a day agree that their last message is old, and are counted', async () => {
  const store = await makeStore()
  const [agent, lively, old, older] = await store.at(0, async (client) => {
    const { id } = await makeAgent(client)
    const make = () => makeConversation(client, id)
    return [id, await make(), await make(), await make()] as const
  })
  await store.at(60, async (client) => {
    const body = { query: 'And on Sundays?', conversationId: lively }
    await sdk.queryAgent({ client, path: { id: agent }, body, throwOnError: true })
  })
  expect(await store.look([91, 91.9])).toBe(0)
  expect(await store.look([92.1])).toBe(2)
  const statuses = await store.at(92.1, (client) =>
    Promise.all([lively, old, older].map((id) => statusOf(client, id))),
  )
  expect(statuses).toEqual([200, 404, 404])
})

test(
  'a clock that is months ahead for some hours deletes nothing, nor does it once it is right',
  { tags: 'deep' },
  async () => {
    const store = await makeStore()
    const conversation = await store.at(0, converse)
    expect(await store.look([100, 100.9, 1, 1.9])).toBe(0)
    expect(store.reasons).toHaveLength(2)
    expect(await store.at(2.2, (client) => statusOf(client, conversation))).toBe(200)
  },
)

test(
  'CONVERSATION_DAYS that is wrong for some hours deletes nothing',
  { tags: 'deep' },
  async () => {
    const store = await makeStore()
    await store.at(0, converse)
    const wrong = { conversationDays: 1 }
    await store.look([0.9, 1.8])
    expect(await store.look([1.9, 2.8], wrong)).toBe(0)
    expect(await store.look([2.9, 3.8])).toBe(0)
    expect(await store.look([3.9, 4.9, 5], wrong)).toBe(1)
  },
)

test(
  'servers on one store share their looks, and one with a wrong clock deletes nothing',
  { tags: 'deep' },
  async () => {
    const store = new Store(pathToFileURL(await temporaryDirectory()).href)
    await store.at(0, converse)
    expect(await store.look([95, 195, 95.5, 195.5, 96.2])).toBe(0)
    expect(await store.look([97, 97.3])).toBe(1)
  },
)

test(
  'a server that runs on looks each hour, and forgets in time where nobody writes',
  { tags: 'deep' },
  async () => {
    const store = await makeStore()
    const conversation = await store.at(0, converse)
    await store.look([95])
    await store.at(95.9, async (client) => {
      expect(await statusOf(client, conversation)).toBe(200)
      const next = () => {
        vi.advanceTimersByTime(day / 24)
        return statusOf(client, conversation)
      }
      await expect.poll(next).toBe(404)
    })
  },
)
