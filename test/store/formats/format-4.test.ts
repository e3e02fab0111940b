import { expect, test } from 'vitest'
import * as sdk from '../../../generated/sdk.gen.ts'
import type { MetadataFilter } from '../../../generated/types.gen.ts'
import { currentFormat } from '../../../src/store/formats/formats.ts'
import { checkedClient } from '../../support/server.ts'
import { query } from '../../support/things.ts'
import { formatOf } from './old-store.ts'
import { packedStore, startOn } from './packed-store.ts'

/** A store of format 4 gets labels and keys. */

const { holders, contents, contentsOn, unpack } = packedStore(4)
const [{ key, datastores }] = holders
const [library = ''] = datastores

// What format 3 and format 5 get is proven with them.
test.runIf(process.env.UPGRADE_ROUNDS)(
  'a store of format 4 has all that it had, and its documents are found by metadata',
  async () => {
    const directory = await unpack()
    expect(await formatOf(directory)).toEqual({ format: 4 })
    const { logged } = await startOn(directory, async (server) => {
      expect(await contentsOn(server)).toEqual(contents)
      const client = checkedClient(server.url, key)
      const namesOf = async (metadata: MetadataFilter) => {
        // Only by vector is a text found that is unlike the query.
        const asked = { query: 'books', mode: 'vector' as const, topK: 100, filters: { metadata } }
        const found = await query(client, library, asked)
        return [...new Set(found.map(({ datasource_name }) => datasource_name))]
      }
      expect(await namesOf({ type: 'gt', key: 'pages', value: 2 })).toEqual(['Assembly'])
      expect(await namesOf({ type: 'eq', key: 'custom_id', value: 'hours' })).toEqual(['Hours'])

      const path = { id: library, key: 'own' }
      const put = await sdk.putDocument({ client, path, body: { text: 'Own.' } })
      const gone = await sdk.deleteDocument({ client, path })
      expect([put.response?.status, gone.response?.status]).toEqual([201, 200])
    })
    expect(logged).toMatch(/"documents":13,.*"left":0,"msg":"upgraded the store"/)
    expect(await formatOf(directory)).toEqual({ format: currentFormat })
    const again = await startOn(directory, contentsOn)
    expect(again.found).toEqual(contents)
    expect(again.logged).not.toContain('upgrad')
  },
)
