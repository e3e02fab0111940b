import { cp } from 'node:fs/promises'
import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { openServer, temporaryDirectory } from './server.ts'
import { makeAgent, makeConversation, makeDatastore, makeKey, upsert } from './things.ts'

/** The ids of all that a store has; a status where that is not told. */
export type Ids = Record<string, string[] | number | undefined>

/** A closed store, a copy from before most was written, and what it holds. */
export type WholeStore = { directory: string; older: string; datastores: string[]; ids: Ids }

export async function wholeStore(): Promise<WholeStore> {
  const directory = await temporaryDirectory()
  const datastores: string[] = []
  const fill = async () => {
    const { client, close } = await openServer({ dataUri: directory })
    datastores.push(await makeDatastore(client), await makeDatastore(client))
    for (const id of datastores) {
      await upsert(client, id, ...Array.from({ length: 12 }, (_, n) => `Text ${n} of ${id}.`))
    }
    // More than a power cut can tear, so that a table is never taken for one that was torn down to nothing.
    for (let n = 0; n < 3; n++) {
      const { id } = await makeAgent(client)
      const body = { datastoreIds: datastores }
      await sdk.putKnowledge({ client, path: { id }, body, throwOnError: true })
      await makeConversation(client, id)
    }
    await makeKey(client)
    const ids = await idsOf(client, datastores)
    await close()
    return ids
  }
  await fill()
  const older = await copyOf(directory)
  return { directory, older, datastores, ids: await fill() }
}

export async function copyOf(directory: string): Promise<string> {
  const copy = await temporaryDirectory()
  await cp(directory, copy, { recursive: true })
  return copy
}

export async function idsOf(client: Client, datastores: string[]): Promise<Ids> {
  const query = { limit: 100 }
  const ids: Ids = {
    datastores: read(await sdk.listDatastores({ client, query })),
    agents: read(await sdk.listAgents({ client, query })),
    keys: read(await sdk.listKeys({ client, query })),
  }
  for (const id of [ids.agents].flat().filter((one) => typeof one === 'string')) {
    const { data, response } = await sdk.getKnowledge({ client, path: { id } })
    ids[`knowledge of ${id}`] = data?.datastoreIds ?? response?.status
    const conversations = await sdk.listConversations({ client, path: { id } })
    ids[`conversations of ${id}`] = read(conversations)
  }
  for (const id of datastores)
    ids[id] = read(await sdk.listDatasources({ client, path: { id }, query }))
  return ids
}

type Listed = { data?: { data: { id: string }[] } | undefined; response?: Response | undefined }

const read = ({ data, response }: Listed): string[] | number | undefined =>
  data ? data.data.map(({ id }) => id) : response?.status
