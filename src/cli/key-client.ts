import { type Client, createClient } from '../../generated/client/index.ts'
import { createKey, getLiveness, listKeys, revokeKey } from '../../generated/sdk.gen.ts'
import type { CreatedKey, CreateKey, Key, Problem } from '../../generated/types.gen.ts'
import type { ClientConfig } from '../config.ts'
import { CommandFailed } from './arguments.ts'

/** What the command line does with keys, by way of a server. */
export type KeyClient = {
  create(key: CreateKey): Promise<CreatedKey>
  list(): Promise<Key[]>
  revoke(id: string): Promise<Key>
  close(): Promise<void>
}

type Result<Data> = { data?: Data; error?: Problem }

const timeoutMilliseconds = 30_000

/** Undefined when no server runs at the default address. @throws CommandFailed when none runs at SERVICE_URL */
export async function findServer(config: ClientConfig): Promise<KeyClient | undefined> {
  const { serviceUrl, apiKey, isServiceNamed } = config
  // Asked without the key, which another service must not see.
  const { data, response } = await getLiveness({ client: clientFor(serviceUrl, undefined) })
  if (!response) {
    if (isServiceNamed) throw new CommandFailed(`No server answers at ${serviceUrl}.`)
    return undefined
  }
  const isOurs = data?.status === 'ok' && response.headers.get('x-request-id')?.startsWith('req_')
  if (!isOurs) throw new CommandFailed(`What answers at ${serviceUrl} is another service.`)
  if (apiKey === undefined) throw new CommandFailed('A server runs: set API_KEY to a key of it.')
  return connectTo(serviceUrl, apiKey)
}

export function connectTo(url: string, apiKey: string): KeyClient {
  const client = clientFor(url, apiKey)
  return {
    create: async (body) => answerOf(await createKey({ client, body })),
    revoke: async (id) => answerOf(await revokeKey({ client, path: { id } })),
    list: async () => {
      const keys: Key[] = []
      let cursor: string | null | undefined
      do {
        const query = { limit: 100, ...(cursor && { cursor }) }
        const page = answerOf(await listKeys({ client, query }))
        keys.push(...page.data)
        cursor = page.nextCursor
      } while (cursor)
      return keys
    },
    close: async () => undefined,
  }
}

const clientFor = (baseUrl: string, apiKey: string | undefined): Client =>
  createClient({
    baseUrl,
    auth: () => apiKey,
    fetch: (input, init) =>
      fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMilliseconds) }),
  })

function answerOf<Data>({ data, error }: Result<Data>): Data {
  if (data !== undefined) return data
  const violations = error?.errors?.map(({ pointer, detail }) => `${pointer} ${detail}`) ?? []
  throw new CommandFailed([error?.detail ?? 'The server broke off.', ...violations].join('\n'))
}
