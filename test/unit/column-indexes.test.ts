import { connect } from '@lancedb/lancedb'
import { expect, onTestFinished, test } from 'vitest'
import { areColumnIndexesDue, makeColumnIndexes } from '../../src/store/column-indexes.ts'
import { fragmentSchema, toTable } from '../../src/store/rows.ts'
import { makeVectorIndex } from '../../src/store/vector-index.ts'
import { documentVersion } from '../support/document-version.ts'
import { temporaryDirectory } from '../support/server.ts'

/** With the indexes of filters, and rows that came after them. */
async function tableBehind(dimensions: number) {
  const connection = await connect(await temporaryDirectory())
  onTestFinished(() => connection.close())
  const table = await connection.createEmptyTable('fragments', fragmentSchema(dimensions))
  const add = (id: string) => {
    const version = documentVersion(id)
    const fragments = version.fragments.map((fragment) => ({
      ...fragment,
      vector: new Float32Array(dimensions).fill(1),
    }))
    return table.add(toTable([{ ...version, fragments }]))
  }
  await add('a')
  expect(await areColumnIndexesDue(table)).toBe(true)
  await makeColumnIndexes(table)
  expect(await areColumnIndexesDue(table)).toBe(false)
  await add('b')
  return { table, add }
}

test('those of filters that are behind are due until there is one of vectors', async () => {
  const { table, add } = await tableBehind(8)
  expect(await areColumnIndexesDue(table)).toBe(true)
  await makeColumnIndexes(table)
  expect(await areColumnIndexesDue(table)).toBe(false)
  await makeVectorIndex(table)
  await add('c')
  expect(await areColumnIndexesDue(table)).toBe(false)
})

test('where vectors cannot be indexed they are not made anew again and again', async () => {
  const { table } = await tableBehind(2)
  expect(await areColumnIndexesDue(table)).toBe(false)
})
