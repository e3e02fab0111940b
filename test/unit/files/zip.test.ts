import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { namesOfFiles, readEntries } from '../../../src/files/zip.ts'
import { zipOf } from '../../support/documents/packages.ts'
import { inZip64, listedAgain, withDirectory } from '../../support/documents/odd-zip.ts'

const mebibyte = Buffer.alloc(1024 * 1024, 'a')
const zip = zipOf({ 'first.xml': 'At nine.', '00000.xml': mebibyte })
const [sizeField, packedField, offsetField] = [24, 20, 42]

const edited = (edit: (record: Buffer) => void, bytes = zip): Buffer =>
  withDirectory(bytes, (records) => {
    edit(records.at(-1)!)
    return records
  })

/** Each was read, at a cost that the sizes it says do not tell. */
test.each([
  ['that lists an entry twice', withDirectory(zip, (all) => [...all, all.at(-1)!])],
  ['that lists an entry under many names', listedAgain(zip, 100)],
  ['that lists an entry under many names and says that it is empty', listedAgain(zip, 100, 0)],
  ['whose entry says that it is empty', edited((record) => record.writeUInt32LE(0, sizeField))],
  ['whose entry says that it is small', edited((record) => record.writeUInt32LE(64, sizeField))],
  [
    'whose entry says that it is larger',
    edited((record) => record.writeUInt32LE(2 ** 21, sizeField)),
  ],
  ['whose entry reaches into the next', edited((record) => record.writeUInt32LE(0, offsetField))],
  [
    'whose entry ends behind the file',
    edited((record) => record.writeUInt32LE(2 ** 30, packedField)),
  ],
  [
    'whose entry begins behind the file',
    edited((record) => record.writeUInt32LE(2 ** 30, offsetField)),
  ],
  ['whose stored entry is cut off', edited((record) => record.writeUInt16LE(0, 10))],
  ['whose entry is packed by something unknown', edited((record) => record.writeUInt16LE(93, 10))],
  ['that says it has more entries', edited((record) => record.fill(0, 0, 46))],
  ['without an end', zip.subarray(0, -22)],
  ['that is an end alone', Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(17, 0xff)])],
])('a zip %s is unreadable', (_, bytes) => {
  expect(() => readEntries(bytes, /\.xml$/)).toThrow(
    expect.objectContaining({ code: 'unreadable_file' }),
  )
})

test('a zip of more entries than a file may have is unreadable', () => {
  const bytes = listedAgain(zip, 20_000)
  expect(() => namesOfFiles(bytes)).toThrow(expect.objectContaining({ code: 'unreadable_file' }))
})

test('what is not wanted of a zip is neither unpacked nor checked', () => {
  const bytes = listedAgain(zip, 100, 0)
  expect(String(readEntries(bytes, /^first/).get('first.xml'))).toBe('At nine.')
})

test.each([
  ['plain', zip],
  ['with sizes for large files', withDirectory(zip, (records) => records.map(inZip64))],
  ['with an entry that has no bytes', zipOf({ 'empty.xml': '', 'first.xml': 'At nine.' })],
])('a zip %s has its entries by name', (_, bytes) => {
  const entries = readEntries(bytes, /\.xml$/)
  expect(String(entries.get('first.xml'))).toBe('At nine.')
  expect([...entries.keys()].toSorted()).toEqual(namesOfFiles(bytes).toSorted())
})

test('names of a zip are UTF-8 where it says so', () => {
  const bytes = zipOf({ 'größe 九.xml': deflateRawSync('x') })
  expect(namesOfFiles(bytes)).toEqual(['größe 九.xml'])
})
