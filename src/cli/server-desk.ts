import { createClient } from '../../generated/client/index.ts'
import { createKey, getLiveness, listKeys, revokeKey } from '../../generated/sdk.gen.ts'
import type { Key, Problem } from '../../generated/types.gen.ts'
import type { ClientConfig } from '../config.ts'
import { CommandFailed, type KeyDesk } from './key-desk.ts'

type Result<Data> = { data?: Data; error?: Problem }

/** Keys by way of the server at `serviceUrl`, undefined when none runs there. */
export async function findServer({
  serviceUrl,
  apiKey,
}: ClientConfig): Promise<KeyDesk | undefined> {
  const client = createClient({ baseUrl: serviceUrl, auth: () => apiKey })
  const { response } = await getLiveness({ client })
  if (!response) return undefined
  if (!response.ok) throw new CommandFailed(`${serviceUrl} answers, and not as this service does.`)
  if (apiKey === undefined) throw new CommandFailed('A server runs: set API_KEY to a key of it.')
  return {
    create: async (body) => answerOf(await createKey({ client, body })),
    revoke: async (id) => answerOf(await revokeKey({ client, path: { id } })),
    list: async () => {
      const keys: Key[] = []
      for (let cursor: string | null | undefined; cursor !== null;) {
        const query = { limit: 100, ...(cursor && { cursor }) }
        const page = answerOf(await listKeys({ client, query }))
        keys.push(...page.data)
        cursor = page.nextCursor
      }
      return keys
    },
    close: async () => undefined,
  }
}

function answerOf<Data>({ data, error }: Result<Data>): Data {
  if (data !== undefined) return data
  const violations = error?.errors?.map(({ pointer, detail }) => `${pointer} ${detail}`) ?? []
  throw new CommandFailed([error?.detail ?? 'The server broke off.', ...violations].join('\n'))
}
