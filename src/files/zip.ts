import { inflateRawSync } from 'node:zlib'
import { broken, unpacksTooLarge } from './refusals.ts'
import { type ZipEntry, zipEntries } from './zip-directory.ts'

/** In bytes, for all entries that are read; their texts are a small part. */
const maxUnpacked = 64 * 1024 * 1024
const maxEntries = 20_000
const [stored, deflated] = [0, 8]

/** @throws ServiceError `unreadable_file` */
export const namesIn = (bytes: Uint8Array): string[] =>
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
