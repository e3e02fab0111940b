import { connect } from '@lancedb/lancedb'
import { expect, test } from 'vitest'
import { QueryMode } from '../../generated/types.gen.ts'
import { openServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

/** Vectors are searched by an index from 2,000 on. */
const letters = (from: number) =>
  Array.from({ length: 420 }, (_, n) => ({
    text: `A letter ${from + n} lay there that nobody had read.`,
    metadata: { custom_id: 'all' },
  }))

test('what was stored after the indexes of filters were made, and before that of vectors, is found', async () => {
  const dataUri = await temporaryDirectory()
  let server = await openServer({ dataUri })
  const id = await makeDatastore(server.client)
  for (let from = 0; from < 2_100; from += 420) await upsert(server.client, id, ...letters(from))
  const connection = await connect(dataUri)
  const table = await connection.openTable(`fragments_${id}`)
  const isWhole = async (...indexes: string[]) => {
    await table.checkoutLatest()
    const stats = await Promise.all(indexes.map((name) => table.indexStats(name)))
    return stats.every((one) => one?.numUnindexedRows === 0)
  }
  await expect.poll(() => isWhole('vector_idx', 'words_idx')).toBe(true)
  // So few are in no index yet.
  const texts = Array.from({ length: 5 }, (_, n) => `Bees make honey, says ${n}.`)
  const bees = texts.map((text) => ({ text, metadata: { custom_id: ['bees', 'all'] } }))
  const ids = await upsert(server.client, id, ...bees)
  await server.close()
  // As who dies before that of vectors was made leaves it.
  await table.checkoutLatest()
  await table.dropIndex('vector_idx')

  server = await openServer({ dataUri })
  const expectAll = async () => {
    for (const filters of [
      { custom_ids: ['bees'] },
      { custom_ids: ['all'] },
      { datasource_ids: ids },
    ]) {
      for (const mode of Object.values(QueryMode)) {
        const found = await query(server.client, id, { query: 'bees honey', mode, filters })
        expect(found.map(({ text }) => text).toSorted()).toEqual(texts)
      }
    }
  }
  await expectAll()
  const names = ['custom_ids_idx', 'datasource_id_idx', 'updated_at_idx', 'vector_idx', 'words_idx']
  await expect.poll(() => isWhole(...names)).toBe(true)
  await expectAll()
  connection.close()
  await server.close()
})
