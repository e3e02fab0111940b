import { afterEach, expect, test, vi } from 'vitest'
import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { openServer, temporaryDirectory } from '../support/server.ts'
import { makeAgent, makeDatastore, makeKey } from '../support/things.ts'

afterEach(() => vi.useRealTimers())

const hour = 3_600_000

type Page = { data: { id: string }[]; nextCursor: string | null }
type Listing = {
  make: (client: Client) => Promise<string>
  list: (client: Client, query: { limit: number; cursor?: string }) => Promise<Page>
}

const withId = async (made: Promise<{ id: string }>) => (await made).id

const listings = {
  agents: {
    make: (client) => withId(makeAgent(client)),
    list: async (client, query) =>
      (await sdk.listAgents({ client, query, throwOnError: true })).data,
  },
  datastores: {
    make: (client) => makeDatastore(client),
    list: async (client, query) =>
      (await sdk.listDatastores({ client, query, throwOnError: true })).data,
  },
  keys: {
    make: (client) => withId(makeKey(client)),
    list: async (client, query) => (await sdk.listKeys({ client, query, throwOnError: true })).data,
  },
} satisfies Record<string, Listing>

/** What a walk that began with `first` still has to read. */
async function restOf(client: Client, { list }: Listing, first: Page): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = first.nextCursor; cursor !== null;) {
    const page = await list(client, { limit: 2, cursor })
    ids.push(...page.data.map(({ id }) => id))
    cursor = page.nextCursor
  }
  return ids
}

test(
  'agents, datastores and keys made after a restart with the clock set back come on later pages of a list',
  { tags: 'deep' },
  async () => {
    const dataUri = await temporaryDirectory()
    const before = await openServer({ dataUri })
    const begun = await Promise.all(
      Object.values(listings).map(async (listing) => {
        const made: string[] = []
        for (let n = 0; n < 3; n++) made.push(await listing.make(before.client))
        return { listing, made, first: await listing.list(before.client, { limit: 2 }) }
      }),
    )
    await before.close()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - hour })
    const after = await openServer({ dataUri })
    for (const { listing, made, first } of begun) {
      const last = await listing.make(after.client)
      const read = [
        ...first.data.map(({ id }) => id),
        ...(await restOf(after.client, listing, first)),
      ]
      expect(read.slice(-4)).toEqual([...made, last])
    }
    await after.close()
  },
)
