import { inflateRawSync } from 'node:zlib'
import { broken, unpacksTooLarge } from './refusals.ts'

/** In bytes, for all entries that are read; their texts are a small part. */
const maxUnpacked = 64 * 1024 * 1024
const maxEntries = 20_000
const [stored, deflated] = [0, 8]

export type Entries = ReadonlyMap<string, Uint8Array>

/** @throws ServiceError `unreadable_file` */
export const namesOfFiles = (bytes: Uint8Array): string[] =>
  entriesOf(toBuffer(bytes)).map(({ name }) => name)

/** The entries whose names match, by name. @throws ServiceError `unreadable_file` */
export function readEntries(bytes: Uint8Array, isWanted: RegExp): Map<string, Uint8Array> {
  const file = toBuffer(bytes)
  const wanted = entriesOf(file).filter(({ name }) => isWanted.test(name))
  if (wanted.reduce((sum, { size }) => sum + size, 0) > maxUnpacked) throw unpacksTooLarge()
  checkApart(wanted)
  return new Map(wanted.map((entry) => [entry.name, unpacked(file, entry)]))
}

function entriesOf(file: Buffer): ZipEntry[] {
  const entries: ZipEntry[] = []
  try {
    for (const entry of zipEntries(file)) {
      if (entries.push(entry) > maxEntries) break
    }
  } catch {
    throw broken()
  }
  if (entries.length > maxEntries) throw unpacksTooLarge()
  return entries
}

/** Entries that share their bytes would unpack them again and again. */
function checkApart(entries: ZipEntry[]): void {
  let end = 0
  for (const entry of entries.toSorted((a, b) => a.start - b.start)) {
    if (entry.start < end) throw broken()
    end = entry.end
  }
}

/** Unpacks no more than the entry says that it holds. */
function unpacked(file: Buffer, { method, start, end, size }: ZipEntry): Uint8Array {
  const packed = file.subarray(start, end)
  const content = method === stored || packed.length === 0 ? packed : inflated(packed, size, method)
  if (content.length !== size) throw broken()
  return content
}

function inflated(packed: Buffer, size: number, method: number): Buffer {
  if (method !== deflated) throw broken()
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) })
  } catch {
    throw broken()
  }
}

const toBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length)

/** Where an entry is in the file, and how many bytes it says that it unpacks to. */
type ZipEntry = {
  name: string
  method: number
  start: number
  end: number
  size: number
}

const recordMark = 0x0201_4b50
const endMark = Buffer.from('PK\x05\x06')
const zip64Mark = 'PK\x06\x07'
const utf8Flag = 0x800
/** In place of a number that stands in the extra field, because it may be larger. */
const inExtra = 0xffff_ffff
const zip64Extra = 1

/** The entries by the directory at the end of a zip (APPNOTE.TXT, 4.3). @throws RangeError where it leads out of the file */
function* zipEntries(file: Buffer): Generator<ZipEntry> {
  const { count, offset } = directoryOf(file)
  for (let at = offset, index = 0; index < count; index++) {
    const { next, ...entry } = entryAt(file, at)
    yield entry
    at = next
  }
}

function entryAt(file: Buffer, at: number): ZipEntry & { next: number } {
  if (file.readUInt32LE(at) !== recordMark) throw new RangeError('A directory that is cut off.')
  const nameEnd = at + 46 + file.readUInt16LE(at + 28)
  const extraEnd = nameEnd + file.readUInt16LE(at + 30)
  const [size, packed, header] = withExtra(
    [24, 20, 42].map((field) => file.readUInt32LE(at + field)),
    file.subarray(nameEnd, extraEnd),
  ) as [number, number, number]
  const start = header + 30 + file.readUInt16LE(header + 26) + file.readUInt16LE(header + 28)
  const end = start + packed
  if (end > file.length) throw new RangeError('An entry ends behind the file.')
  const encoding = file.readUInt16LE(at + 8) & utf8Flag ? 'utf8' : 'latin1'
  const name = file.toString(encoding, at + 46, nameEnd)
  const next = extraEnd + file.readUInt16LE(at + 32)
  return { name, method: file.readUInt16LE(at + 10), start, end, size, next }
}

function directoryOf(file: Buffer): { count: number; offset: number } {
  const end = file.lastIndexOf(endMark)
  if (end < 0) throw new RangeError('A zip without an end.')
  const isLarge = end >= 20 && file.toString('latin1', end - 20, end - 16) === zip64Mark
  if (!isLarge) return { count: file.readUInt16LE(end + 10), offset: file.readUInt32LE(end + 16) }
  const at = Number(file.readBigUInt64LE(end - 12))
  return { count: file.readUInt32LE(at + 32), offset: Number(file.readBigUInt64LE(at + 48)) }
}

/** The numbers, with those that are too large for their place from the extra field, in this order. */
function withExtra(numbers: number[], extra: Buffer): number[] {
  if (!numbers.includes(inExtra)) return numbers
  let at = 0
  while (extra.readUInt16LE(at) !== zip64Extra) at += 4 + extra.readUInt16LE(at + 2)
  at += 4
  return numbers.map((number) => {
    if (number !== inExtra) return number
    at += 8
    return Number(extra.readBigUInt64LE(at - 8))
  })
}
