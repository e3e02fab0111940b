import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonScanner } from '../../../../src/http/body/json-scanner.ts'

/** What a scanner finds in a text that comes in pieces of that many bytes. */
function scan(text: string, pieceLength = Infinity) {
  const bytes = Buffer.from(text)
  const scanner = new JsonScanner()
  const length = Math.min(pieceLength, bytes.length)
  for (let start = 0; start < bytes.length; start += length) {
    const excess = scanner.scan(bytes.subarray(start, start + length))
    if (excess) return { excess }
  }
  const changed = scanner.changedNumbers.map(([start, end]) => bytes.toString('utf8', start, end))
  return { changed }
}

describe('numbers', () => {
  test.each([
    '1546130668394913822',
    '-9007199254740993',
    '9007199254740993.0',
    '90071992547409930e-1',
    '9.007199254740993e15',
    '123456789012345678901234567890',
    '1e400',
    '-9e308',
    '1e-400',
    '-0.1e-323',
    `0.${'0'.repeat(400)}1`,
    `1${'0'.repeat(400)}`,
  ])('%s is changed', (literal) => {
    expect(scan(`{"a":[${literal}, 1]}`)).toMatchObject({ changed: [literal] })
  })

  test.each([
    '0',
    '-0',
    '0.0e-999',
    '9007199254740992',
    '9007199254740991',
    '1000000000000000000000000',
    '12345678901234567000',
    '1e308',
    '5e-324',
    '0.1234567890123456789',
    '3.14159265358979323846',
    '1e5e500',
    '01234567890123456789',
  ])('%s is kept, or no number', (literal) => {
    expect(scan(`{"a":[${literal}, 1]}`)).toMatchObject({ changed: [] })
  })

  test('digits in strings are none', () => {
    expect(scan(String.raw`{"9007199254740993":"\"9007199254740993,\\"}`)).toMatchObject({
      changed: [],
    })
  })
})

test('whatever the pieces, the same is found', () => {
  const numbers = fc.constantFrom('9007199254740993', '1e400', '12', '-1.5e-7', '1e-400', '0')
  const leaf = fc.oneof(
    fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
    fc.constantFrom(String.raw`"\ud83d\ude00"`, String.raw`"\\ud800"`, String.raw`"\""`),
    numbers,
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, leaf, tie('list'), tie('object')),
    list: fc.array(tie('value')).map((items) => `[${items.join(',')}]`),
    object: fc
      .array(fc.tuple(fc.string(), tie('value')))
      .map((members) => `{${members.map(([k, v]) => `${JSON.stringify(k)}:${v}`).join(',')}}`),
  }))
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 9 }), (text, length) => {
      expect(scan(`[${text}]`, length)).toEqual(scan(`[${text}]`))
    }),
    { seed: 20261125, numRuns: 300 },
  )
})

test('a text of whole values is scanned as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(scan(`{"a":${text}}`)).toMatchObject({ changed: [] })
    }),
    { seed: 20261125, numRuns: 300 },
  )
})

test('an excess names the way to it as far as the third level', () => {
  const many = `[${'0,'.repeat(10_000)}0]`
  expect(scan(`{"x":1,"a":[{"b":1},{"c":{"d":${many}}}]}`, 7)).toMatchObject({
    excess: { path: [expect.any(Array), 1, expect.any(Array)] },
  })
  expect(scan(`{"a":[${'['.repeat(31)}`, 3)).toMatchObject({
    excess: { path: [expect.any(Array), 0, 0], detail: expect.stringContaining('32 levels') },
  })
})
