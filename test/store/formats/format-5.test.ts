import { expect, test } from 'vitest'
import * as sdk from '../../../generated/sdk.gen.ts'
import { FragmentDetail } from '../../../generated/types.gen.ts'
import { replaceTable } from '../../support/damages.ts'
import { pdfOf } from '../../support/documents/pdf.ts'
import { checkedClient, type TestServer } from '../../support/server.ts'
import { query } from '../../support/things.ts'
import { copyOf } from '../../support/whole-store.ts'
import { withTable } from './old-store.ts'
import { packedStore, startOn } from './packed-store.ts'

/** A store of format 5 gets lengths of fragments and pages, and no document is analysed anew. */

const { holders, contents, contentsOn, unpack } = packedStore(5)
const [{ key, datastores }] = holders
const [library = ''] = datastores

const lengthOf = async ({ url }: TestServer): Promise<number | undefined> => {
  const got = sdk.getDatastore({ client: checkedClient(url, key), path: { id: library } })
  return (await got).data?.fragmentLength
}

const rowsOf = (directory: string) =>
  withTable(directory, `fragments_${library}`, async (table) => {
    const rows = await table.query().select(['id', 'offset', 'text', 'words', 'vector']).toArray()
    return JSON.stringify(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  })

test(
  'its documents are there with their fragments, which have a length now, and a file has pages',
  { tags: 'deep' },
  async () => {
    const directory = await unpack()
    const rows = await rowsOf(directory)
    const { logged } = await startOn(directory, async (server) => {
      expect(await contentsOn(server)).toEqual(contents)
      expect(await lengthOf(server)).toBe(2_000)
    })
    expect(logged).toMatch(/"left":0,"msg":"upgraded the store"/)
    expect(await rowsOf(directory)).toBe(rows)
    const again = await startOn(directory, async ({ url }) => {
      const client = checkedClient(url, key)
      const file = new File([new Uint8Array(pdfOf([['First.'], ['The comet is seen.']]))], 'a.pdf')
      await sdk.uploadFile({ client, path: { id: library }, body: { file }, throwOnError: true })
      const body = { query: 'comet', include: [FragmentDetail.SPAN] }
      return (await query(client, library, body))[0]?.span
    })
    expect(again.found).toEqual({ start: 8, end: 26, page: 2 })
    expect(again.logged).not.toContain('upgrad')
  },
)

test.runIf(process.env.UPGRADE_ROUNDS)(
  'a list of datastores that is put back from a copy of it gets the length again',
  async () => {
    const directory = await unpack()
    const copy = await copyOf(directory)
    await startOn(directory, contentsOn)
    await replaceTable(directory, 'datastores', copy)
    expect((await startOn(directory, lengthOf)).found).toBe(2_000)
  },
)
