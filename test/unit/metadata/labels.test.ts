import {
  assert,
  boolean,
  dictionary,
  double,
  jsonValue,
  nat,
  oneof,
  property,
  string,
  stringMatching,
} from 'fast-check'
import { expect, test } from 'vitest'
import { labelsOf, bytesOfLabels } from '../../../src/metadata/labels.ts'
import { metadataOf } from '../../retrieval/random-metadata.ts'
import { Random } from '../../support/random.ts'

const bytesMade = (metadata: object | null): number =>
  Buffer.byteLength(labelsOf(metadata && JSON.stringify(metadata)).join(''))

test('the bytes of labels are never measured as fewer than are made', { tags: 'deep' }, () => {
  const random = new Random(1)
  for (let round = 0; round < 300; round++) {
    const metadata = metadataOf(random)
    expect(bytesOfLabels(metadata), JSON.stringify(metadata)).toBeGreaterThanOrEqual(
      bytesMade(metadata),
    )
  }
  assert(
    property(dictionary(string({ unit: 'binary' }), jsonValue()), (metadata) => {
      expect(bytesOfLabels(metadata)).toBeGreaterThanOrEqual(bytesMade(metadata))
    }),
  )
})

test('the labels of texts, flags and numbers from 0 on are measured exactly, as far as none repeats', () => {
  const value = oneof(
    boolean().filter((flag) => !flag),
    double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    nat(),
    stringMatching(/^[a-zéß河]{0,120}$/),
  )
  assert(
    property(dictionary(string(), value, { noNullPrototype: true }), (metadata) => {
      expect(bytesOfLabels(metadata)).toBe(bytesMade(metadata))
    }),
  )
})
