import { crc32 } from 'node:zlib'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { Scope } from '../../generated/types.gen.ts'
import { OpenTable } from '../../src/store/table/open-table.ts'
import { RecordTable } from '../../src/store/records/records.ts'
import { operations } from '../support/contract.ts'
import { send } from '../support/raw.ts'
import { type Ids, makeThings, requestFor } from '../support/requests.ts'
import { checkedClient, openDatabase, startServer, temporaryDirectory } from '../support/server.ts'
import { makeKey } from '../support/things.ts'

/** What is another workspace's takes the same work as what never was, so that no time tells of it. */

type Row = { workspace?: string }

/** The rows of each read of records, as they come, but for what the service reads of itself now and then. */
function watchReads(): Row[][] {
  const reads: Row[][] = []
  const read = OpenTable.prototype.read
  vi.spyOn(OpenTable.prototype, 'read').mockImplementation(async function (this: OpenTable, query) {
    const found = await read.call(this, query)
    const isOwn = (row: Row) => row.workspace === 'service'
    if (Array.isArray(found) && !found.some(isOwn)) reads.push(found)
    return found
  })
  return reads
}

afterEach(() => vi.restoreAllMocks())

describe('a record', async () => {
  const database = await openDatabase(await temporaryDirectory())
  const records = await RecordTable.open<string>(database, 'things', undefined, (value) => value)
  afterAll(async () => {
    await records.idle()
    database.close()
  })
  for (const id of ['known', 'other', 'a/b', "o'hara"]) await records.insert(id, 'ann', 'text')

  test.each(['known', 'other', 'a/b', "o'hara", 'unknown', 'ann/known', ''])(
    '%j is looked up for another workspace without reading a row, each time',
    async (id) => {
      // As its owner does, who has it remembered.
      await records.recall(id, 'ann')
      const reads = watchReads()
      expect(await records.recall(id, 'bob')).toBeUndefined()
      expect(await records.recall(id, 'bob')).toBeUndefined()
      expect(reads).toEqual([[], []])
      expect(await records.get(id, 'bob')).toBeUndefined()
      expect(reads).toEqual([[], [], []])
    },
  )

  test('is found by its workspace, by its id alone, and by its text', async () => {
    for (const workspace of ['ann', undefined]) {
      expect(await records.get('known', workspace)).toMatchObject({ workspace: 'ann' })
    }
    expect(await records.recall('known', 'ann')).toMatchObject({ workspace: 'ann' })
    expect(await records.recallHolding('known', 'text')).toMatchObject({ workspace: 'ann' })
  })

  test('is found by all who wait for it together, each in its workspace', async () => {
    await records.insert('mine', 'bob', 'text')
    const ids = ['known', 'mine', 'a/b']
    const asked = [
      ...['ann', 'bob'].flatMap((workspace) => ids.map((id) => records.recall(id, workspace))),
      ...ids.map((id) => records.recallHolding(id, 'text')),
    ]
    const found = (await Promise.all(asked)).map((record) => record?.id)
    expect(found).toEqual([
      'known',
      undefined,
      'a/b',
      undefined,
      'mine',
      undefined,
      'known',
      'mine',
      'a/b',
    ])
  })

  test('changes and goes under each of its names', async () => {
    const first = (await records.insert('changing', 'ann', 'first'))!
    const seen = async () => {
      const all = [
        records.recall('changing', 'ann'),
        ...['first', 'second'].map((text) => records.recallHolding('changing', text)),
      ]
      return (await Promise.all(all)).map((record) => record?.value)
    }
    expect(await seen()).toEqual(['first', 'first', undefined])
    const second = (await records.replace(first, 'second'))!
    expect(await seen()).toEqual(['second', undefined, 'second'])
    await records.remove(second)
    expect(await seen()).toEqual([undefined, undefined, undefined])
  })
})

describe('over HTTP', async () => {
  const { client, url } = await startServer()
  const scopes = Object.values(Scope)
  const ann = checkedClient(url, (await makeKey(client, { scopes, workspace: 'ann' })).key)
  const bob = await makeKey(client, { scopes, workspace: 'bob' })
  const things = await makeThings(ann)
  const never: Ids = {
    agent: 'agt_1',
    conversation: 'cnv_1',
    datastore: 'dst_1',
    datasource: 'src_1',
    key: '1',
  }

  test('a forged key is looked up without reading a row, whether or not a key of its id is in use', async () => {
    const forgedOf = (id: string) => {
      const secret = '0'.repeat(40)
      const checksum = crc32(`${id}_${secret}`).toString(16).padStart(8, '0')
      return `ads_${id}_${secret}${checksum}`
    }
    const use = async (key: string) =>
      (await send(url, 'GET', '/datastores', { headers: { authorization: `Bearer ${key}` } }))
        .status
    expect(await use(bob.key)).toBe(200)
    for (const id of [bob.id, 'unknown']) {
      const reads = watchReads()
      expect([await use(forgedOf(id)), await use(forgedOf(id))]).toEqual([401, 401])
      expect(reads).toEqual([[], []])
      vi.restoreAllMocks()
    }
  })

  const withIds = operations.filter(({ path }) => path.includes('{'))

  test.each(withIds.map((operation) => [operation.operationId, operation] as const))(
    '%s reads nothing that is another workspace’s',
    async (_, operation) => {
      const reads = watchReads()
      for (const ids of [things, never]) {
        const { path, ...body } = requestFor(operation, ids)
        const headers = { authorization: `Bearer ${bob.key}` }
        expect((await send(url, operation.method, path, { ...body, headers })).status).toBe(404)
      }
      expect(reads.flat().filter(({ workspace }) => workspace === 'ann')).toEqual([])
    },
  )
})
