import type { Client } from '../../../generated/client/index.ts'
import * as sdk from '../../../generated/sdk.gen.ts'

/** A key, and the datastores of its workspace. */
export type Holder = { key: string; datastores: string[] }

/** All that a store holds, as it is told to those who have its keys. */
export async function contentsOf(
  holders: Holder[],
  clientOf: (key: string) => Client,
): Promise<unknown[]> {
  const query = { limit: 100 }
  return Promise.all(
    holders.map(async ({ key, datastores }) => {
      const client = clientOf(key)
      const throwOnError = true
      const agents = await sdk.listAgents({ client, query, throwOnError })
      const keys = await sdk.listKeys({ client, query, throwOnError })
      const documents = datastores.map((id) => documentsOf(client, id))
      return {
        agents: agents.data.data,
        keys: keys.data.data.map((held) => ({ ...held, lastUsedAt: null })),
        documents: Object.fromEntries(await Promise.all(documents)),
      }
    }),
  )
}

/** What an upgrade keeps of a datastore's documents, which is all but how many fragments they have. */
async function documentsOf(client: Client, id: string) {
  const { data } = await sdk.listDatasources({
    client,
    path: { id },
    query: { limit: 100 },
    throwOnError: true,
  })
  const whole = data.data.map(async ({ id: datasourceId }) => {
    const got = await sdk.getDatasource({ client, path: { id, datasourceId }, throwOnError: true })
    const { fragmentCount: _, ...document } = got.data
    return document
  })
  return [id, await Promise.all(whole)] as const
}
