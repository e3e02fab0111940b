import { unzipSync, type UnzipFileInfo } from 'fflate'
import { broken, unpacksTooLarge } from './refusals.ts'

/** In bytes, for all entries that are read; their texts are a small part. */
const maxUnpacked = 64 * 1024 * 1024
const maxEntries = 20_000

export function namesIn(bytes: Uint8Array): string[] {
  const names: string[] = []
  unzip(bytes, ({ name }) => {
    if (names.push(name) > maxEntries) throw unpacksTooLarge()
    return false
  })
  return names
}

/** The entries whose names match, by name. @throws ServiceError `unreadable_file` */
export function readEntries(bytes: Uint8Array, isWanted: RegExp): Map<string, Uint8Array> {
  let unpacked = 0
  const entries = unzip(bytes, ({ name, originalSize }) => {
    if (!isWanted.test(name)) return false
    unpacked += originalSize
    if (unpacked > maxUnpacked) throw unpacksTooLarge()
    return true
  })
  return new Map(Object.entries(entries))
}

/** No entry becomes larger than it says, for its memory is taken before it is unpacked. */
function unzip(bytes: Uint8Array, filter: (entry: UnzipFileInfo) => boolean) {
  try {
    return unzipSync(bytes, { filter })
  } catch (error) {
    throw error instanceof Error && 'code' in error && typeof error.code === 'number'
      ? broken()
      : error
  }
}
