const directoryMark = Buffer.from('PK\x01\x02')
const endMark = Buffer.from('PK\x05\x06')

type Parts = { files: Buffer; records: Buffer[]; end: Buffer }

/** A zip with a changed directory: one record an entry, and where they are said to be. */
export function withDirectory(zip: Buffer, change: (records: Buffer[]) => Buffer[]): Buffer {
  const { files, records, end } = partsOf(zip)
  const changed = change(records.map((record) => Buffer.from(record)))
  const ended = Buffer.from(end)
  ended.writeUInt16LE(changed.length % 65_536, 8)
  ended.writeUInt16LE(changed.length % 65_536, 10)
  ended.writeUInt32LE(Buffer.concat(changed).length, 12)
  return Buffer.concat([files, ...changed, ended])
}

function partsOf(zip: Buffer): Parts {
  const end = zip.subarray(zip.lastIndexOf(endMark))
  const start = end.readUInt32LE(16)
  const records: Buffer[] = []
  for (let at = start; zip.indexOf(directoryMark, at) === at;) {
    const length = [28, 30, 32].reduce((sum, field) => sum + zip.readUInt16LE(at + field), 46)
    records.push(zip.subarray(at, at + length))
    at += length
  }
  return { files: zip.subarray(0, start), records, end }
}

/** The same with the record of the last entry so many times, each under a name of its own. */
export const listedAgain = (zip: Buffer, times: number, size?: number): Buffer =>
  withDirectory(zip, (records) => {
    const last = records.at(-1)!
    if (size !== undefined) last.writeUInt32LE(size, 24)
    const again = Array.from({ length: times }, (_, index) => {
      const record = Buffer.from(last)
      record.write(String(index).padStart(5, '0'), 46)
      return record
    })
    return [...records, ...again]
  })

/** A record with its sizes and offset in an extra field, as writers that stream have it. */
export function inZip64(record: Buffer): Buffer {
  const numbers = [24, 20, 42].map((field) => BigInt(record.readUInt32LE(field)))
  for (const field of [24, 20, 42]) record.writeUInt32LE(0xffff_ffff, field)
  const extra = Buffer.alloc(4 + 24)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(24, 2)
  for (const [index, number] of numbers.entries()) extra.writeBigUInt64LE(number, 4 + 8 * index)
  record.writeUInt16LE(extra.length, 30)
  return Buffer.concat([record.subarray(0, 46 + record.readUInt16LE(28)), extra])
}
