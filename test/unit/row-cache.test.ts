import { expect, test } from 'vitest'
import { Direction } from '../../src/direction.ts'
import { RowCache } from '../../src/store/row-cache.ts'

test.each(['text', 'name', 'source'])('rows with a long %s are not all remembered', (long) => {
  const cache = new RowCache()
  const direction = new Direction(new Float32Array([1]))
  const short = { text: '', name: '', source: '', updatedAt: '', datasourceId: 'one' }
  const rows = 10_000
  for (let position = 0; position < rows; position++) {
    const found = { ...short, position, direction, [long]: 'x'.repeat(16_000) }
    cache.remember(`${position}`, found, `${position}`)
  }
  expect(cache.get(`${rows - 1}`)?.position).toBe(rows - 1)
  expect(cache.get('0')).toBeUndefined()
})
