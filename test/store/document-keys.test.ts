import { afterAll, beforeAll, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { checkedClient, temporaryDirectory, testKey } from '../support/server.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'
import { makeDatastore, query } from '../support/things.ts'

const lives = Number(process.env.KEYS_LIVES ?? 1)
const putsALife = Number(process.env.KEYS_PUTS ?? 150)
const clients = 64
const keys = Array.from({ length: 20 }, (_, n) => `pages/${n}.md`)

const directory = await temporaryDirectory()
const start = () => spawnServer({ DATA_URI: directory, INITIAL_KEY: testKey })
let server: ServerProcess
beforeAll(async () => {
  server = await start()
})
afterAll(() => server?.kill('SIGKILL'))

const sentence = (version: string): string => `Version ${version} says the same in every sentence. `

/** The versions differ in length, so that each has rows of its own. */
const documentOf = (version: string) => ({
  text: sentence(version).repeat(1 + 60 * (Number(version.split('-')[1]) % 3)),
  name: version,
  metadata: { version },
})

/** Undefined where the server was killed meanwhile. */
async function unlessKilled<T>(request: Promise<T>): Promise<T | undefined> {
  return request.catch((error: unknown) => {
    if (server.process.exitCode === null && !server.process.killed) throw error
    return undefined
  })
}

test(
  `while ${clients} clients put ${keys.length} keys, killed ${lives} times, a key has one document, whole`,
  { tags: 'deep', timeout: 3_600_000 },
  async () => {
    const id = await makeDatastore(checkedClient(server.url))
    const acknowledged = new Set<string>()
    let turn = 0
    let reads = 0

    const putOne = async (writer: number): Promise<boolean> => {
      const version = `${writer}-${turn++}`
      const key = keys[turn % keys.length]!
      const put = sdk.putDocument({
        client: checkedClient(server.url),
        path: { id, key },
        body: documentOf(version),
      })
      const answer = await unlessKilled(put)
      if (!answer?.response) return false
      expect([200, 201]).toContain(answer.response.status)
      expect(answer.data).toMatchObject({ key, name: version, metadata: { version } })
      acknowledged.add(key)
      return true
    }
    const readOne = async (): Promise<void> => {
      const key = keys[reads++ % keys.length]!
      const client = checkedClient(server.url)
      const got = await unlessKilled(sdk.getDocument({ client, path: { id, key } }))
      if (!got?.data) return
      const { name, metadata, text, id: datasourceId } = got.data
      expect({ name, metadata, text }).toEqual(documentOf(name))
      const filters = { datasource_ids: [datasourceId] }
      const found = await unlessKilled(
        query(client, id, { query: 'version sentence', topK: 100, filters }),
      )
      if (!found) return
      expect(new Set(found.map(({ datasource_name: version }) => version)).size).toBe(1)
      const [first] = found
      expect(
        found.every(({ text: part }) => documentOf(first!.datasource_name).text.includes(part)),
      ).toBe(true)
    }
    const isWhole = async (): Promise<void> => {
      const client = checkedClient(server.url)
      const { data } = await sdk.listDatasources({ client, path: { id }, query: { limit: 100 } })
      const stored = data?.data.map(({ key }) => key) ?? []
      expect(stored.toSorted()).toEqual([...new Set(stored)].toSorted())
      expect(stored).toEqual(expect.arrayContaining([...acknowledged]))
      for (const key of stored) {
        const { data: one } = await sdk.getDocument({ client, path: { id, key: key ?? '' } })
        expect(one).toMatchObject(documentOf(one?.name ?? ''))
      }
    }

    for (let life = 0; life < lives; life++) {
      let left = putsALife
      const write = async (writer: number): Promise<void> => {
        while (left-- > 0) if (!(await putOne(writer))) return
        await server.kill('SIGKILL')
      }
      const read = async (): Promise<void> => {
        while (left > 0) await readOne()
      }
      await Promise.all([...Array.from({ length: clients }, (_, n) => write(n)), read(), read()])
      server = await start()
      await isWhole()
    }
    expect(acknowledged.size).toBe(keys.length)
    console.log(`${turn} puts, ${reads} reads`)
  },
)
