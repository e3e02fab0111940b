import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { startServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const reads = Number(process.env.REPLACE_READS ?? 150)
const writers = 12
const readers = 4

const sentence = (version: string): string => `Version ${version} says the same in every sentence. `

/** The versions differ in length, so that each has rows of its own. */
const textOf = (writer: number, turn: number): string =>
  sentence(`${writer}-${turn}`).repeat(60 + 40 * ((writer + turn) % 5))

/** Which versions a text is of. */
const versionsIn = (text: string): string[] => [...new Set(text.match(/(?<=Version )\d+-\d+/g))]

/** The version of a whole text, and the whole text of a version. */
const expectWhole = (text: string): void => {
  const [version = ''] = versionsIn(text)
  const [writer = 0, turn = 0] = version.split('-').map(Number)
  expect(text).toBe(textOf(writer, turn))
}

test(
  `while ${writers} writers replace one document, ${reads} reads see one version, whole`,
  { tags: 'deep', timeout: 3_600_000 },
  async () => {
    const { client } = await startServer()
    const datastoreId = await makeDatastore(client)
    const [id = ''] = await upsert(client, datastoreId, textOf(0, 0))
    let done = 0
    let replaced = 0
    const seen = new Set<string>()

    const write = async (writer: number) => {
      for (let turn = 1; done < reads; turn++) {
        const body = { id, text: textOf(writer, turn) }
        await sdk.updateDatasource({ client, path: { datastoreId }, body, throwOnError: true })
        replaced++
      }
    }
    const search = async () => {
      const found = await query(client, datastoreId, { query: 'version sentence', topK: 100 })
      expect(found.length).toBeGreaterThan(1)
      const versions = versionsIn(found.map(({ text }) => text).join())
      expect(versions).toHaveLength(1)
      seen.add(versions[0]!)
      // No fragment is missing: together they hold every sentence of the version at least once.
      const [writer = 0, turn = 0] = versions[0]!.split('-').map(Number)
      const length = found.reduce((sum, { text }) => sum + text.length, 0)
      expect(length).toBeGreaterThanOrEqual(textOf(writer, turn).length)
    }
    const get = async () => {
      const path = { id: datastoreId, datasourceId: id }
      const { data } = await sdk.getDatasource({ client, path, throwOnError: true })
      expectWhole(data.text)
    }
    const read = async () => {
      while (done++ < reads) await (done % 4 === 0 ? get() : search())
    }
    await Promise.all([
      ...Array.from({ length: writers }, (_, writer) => write(writer)),
      ...Array.from({ length: readers }, read),
    ])
    expect(replaced).toBeGreaterThan(writers)
    expect(seen.size).toBeGreaterThan(writers)
    console.log(`${replaced} replacements, ${seen.size} versions seen`)
  },
)
