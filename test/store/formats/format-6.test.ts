import { expect, test } from 'vitest'
import * as sdk from '../../../generated/sdk.gen.ts'
import { checkedClient } from '../../support/server.ts'
import { packedStore, startOn } from './packed-store.ts'

/** A store of format 6 has a place for the encoding of a file, and no document is analysed anew. */

const { holders, contents, contentsOn, unpack } = packedStore(6)
const [{ key, datastores }] = holders
const [library = ''] = datastores

test('its documents are there with their fragments, and a file tells its encoding', async () => {
  const directory = await unpack()
  const { logged } = await startOn(directory, async (server) => {
    expect(await contentsOn(server)).toEqual(contents)
  })
  expect(logged).toMatch(/"left":0,"msg":"upgraded the store"/)
  const again = await startOn(directory, async ({ url }) => {
    const client = checkedClient(url, key)
    const file = new File([Uint8Array.of(0xa3, 0xf3, 0x64, 0xbc)], 'łódź.txt')
    const put = { client, path: { id: library }, body: { file }, throwOnError: true as const }
    return (await sdk.uploadFile(put)).data
  })
  expect(again.found).toMatchObject({ encoding: 'iso-8859-2' })
  expect(again.logged).not.toContain('upgrad')
})
