import { connect } from '@lancedb/lancedb'
import { expect, test } from 'vitest'
import { makeEmptyWordIndex, wordIndexName } from '../../../../src/store/lance/search-indexes.ts'
import { temporaryDirectory } from '../../../support/server.ts'

// The first search needs it.
test('the index of words is there once it is made', async () => {
  const connection = await connect(await temporaryDirectory())
  const table = await connection.createTable('texts', [{ words: 'bee honey' }])
  await makeEmptyWordIndex(table)
  expect(await table.listIndices()).toMatchObject([{ name: wordIndexName, columns: ['words'] }])
  connection.close()
})
