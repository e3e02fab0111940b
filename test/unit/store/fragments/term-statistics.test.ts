import { connect } from '@lancedb/lancedb'
import { expect, test } from 'vitest'
import { TermSample } from '../../../../src/store/fragments/term-statistics.ts'
import type { OpenTable } from '../../../../src/store/table/open-table.ts'
import { temporaryDirectory } from '../../../support/server.ts'

const ofLog = ['request', 'status', 'worker', 'cache']
const notes = ['bell', 'dam', 'pool', 'card'].map((word) => ({ datasource_id: word, words: word }))

test('terms that are drawn together are of different documents, however long one is', async () => {
  const lines = Array.from({ length: 400 }, () => ({
    datasource_id: 'log',
    words: ofLog.join(' '),
  }))
  const connection = await connect(await temporaryDirectory())
  const lance = await connection.createTable('rows', [...lines, ...notes])
  const table = {
    changedRows: 0,
    volume: { isShared: false },
    read: (query: (of: typeof lance) => unknown) => query(lance),
  }
  const { draws } = await new TermSample(table as unknown as OpenTable).statistics()
  connection.close()
  expect(draws.length).toBeGreaterThan(0)
  for (const terms of draws) {
    expect(terms.filter((term) => ofLog.includes(term)).length).toBeLessThanOrEqual(1)
  }
})
