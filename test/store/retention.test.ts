import { pathToFileURL } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { openServer, temporaryDirectory, type TestServer } from '../support/server.ts'
import { makeAgent, makeConversation } from '../support/things.ts'

const day = 24 * 3_600_000
const begun = Date.now()

afterEach(() => vi.useRealTimers())

type Settings = { conversationDays?: number }

/** Starts servers on one store at times in days, one after the other; each looks once. */
class Store {
  readonly #dataUri: string
  readonly logged: Record<string, unknown>[] = []

  constructor(dataUri: string) {
    this.#dataUri = dataUri
  }

  async at<T>(
    days: number,
    use: (life: Pick<TestServer, 'client'>) => Promise<T>,
    settings: Settings = {},
  ): Promise<T> {
    vi.useFakeTimers({ toFake: ['Date'], now: begun + days * day })
    const server = await openServer({ dataUri: this.#dataUri, ...settings })
    try {
      return await use(server)
    } finally {
      await server.close()
      this.logged.push(...server.logged)
      vi.useRealTimers()
    }
  }

  look(days: number, settings?: Settings): Promise<void> {
    return this.at(days, async () => undefined, settings)
  }

  /** As the look that this start made has left it. */
  async has(days: number, conversation: string): Promise<boolean> {
    await this.look(days)
    return this.at(days, async ({ client }) => {
      const { response } = await sdk.getConversation({ client, path: { id: conversation } })
      return response?.status === 200
    })
  }

  get deleted(): unknown[] {
    return this.logged.flatMap(({ msg, deleted }) =>
      msg === 'deleted old conversations' ? [deleted] : [],
    )
  }
}

const makeStore = async () => new Store(await temporaryDirectory())

const converse = ({ client }: Pick<TestServer, 'client'>) =>
  makeAgent(client).then(({ id }) => makeConversation(client, id))

test('conversations go once looks over a day agree that their last message is old, and are counted', async () => {
  const store = await makeStore()
  const [agent, old, older, lively] = await store.at(0, async ({ client }) => {
    const { id } = await makeAgent(client)
    const ids = [0, 1, 2].map(() => makeConversation(client, id))
    return [id, ...(await Promise.all(ids))] as const
  })
  await store.at(60, async ({ client }) => {
    const body = { query: 'And on Sundays?', conversationId: lively }
    await sdk.queryAgent({ client, path: { id: agent }, body, throwOnError: true })
  })
  expect(await store.has(91, old)).toBe(true)
  expect(await store.has(91.9, old)).toBe(true)
  expect(store.deleted).toEqual([])
  expect(await store.has(92.1, old)).toBe(false)
  expect(await store.has(92.1, older)).toBe(false)
  expect(await store.has(92.1, lively)).toBe(true)
  expect(store.deleted).toEqual([2])
})

test('a clock that is months ahead for some hours deletes nothing, nor does it once it is right', async () => {
  const store = await makeStore()
  const conversation = await store.at(0, converse)
  await store.look(0.5)
  for (const days of [100, 100.4, 100.9, 1, 1.5, 2.1, 2.9]) await store.look(days)
  expect(await store.has(3, conversation)).toBe(true)
  expect(store.deleted).toEqual([])
  expect(store.logged.filter(({ why }) => why !== undefined).length).toBe(2)
})

test('CONVERSATION_DAYS that is wrong for some hours deletes nothing', async () => {
  const store = await makeStore()
  const conversation = await store.at(0, converse)
  for (const days of [0.9, 1.8, 2.7]) await store.look(days)
  for (const days of [2.8, 3.1]) await store.look(days, { conversationDays: 1 })
  expect(await store.has(3.2, conversation)).toBe(true)
  expect(await store.has(4.1, conversation)).toBe(true)
  expect(store.deleted).toEqual([])
  for (const days of [4.2, 5.1, 5.3]) await store.look(days, { conversationDays: 1 })
  expect(store.deleted).toEqual([1])
})

test('servers on one store go on with each other’s looks, and one whose clock is wrong deletes nothing', async () => {
  const store = new Store(pathToFileURL(await temporaryDirectory()).href)
  const conversation = await store.at(0, converse)
  for (const days of [95, 195, 95.5, 195.5, 96.2, 196.4]) await store.look(days)
  expect(await store.has(96.3, conversation)).toBe(true)
  for (const days of [97, 97.5]) await store.look(days)
  expect(store.deleted).toEqual([1])
})

test('a server that runs on looks each hour by itself', async () => {
  const store = await makeStore()
  const conversation = await store.at(0, converse)
  await store.look(95)
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: begun + 95.9 * day })
  const status = await store.at(95.9, async ({ client }) => {
    const path = { id: conversation }
    const statusOf = async () => (await sdk.getConversation({ client, path })).response?.status
    expect(await statusOf()).toBe(200)
    for (let hour = 0; hour < 4; hour++) vi.advanceTimersByTime(day / 24)
    await vi.waitFor(async () => expect(await statusOf()).toBe(404), 30_000)
    return statusOf()
  })
  expect(status).toBe(404)
})
