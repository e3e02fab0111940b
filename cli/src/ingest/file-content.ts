import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'

/** The bytes of a file, and their SHA-256. */
export type Content = { bytes: Buffer<ArrayBuffer>; sha256: string }

/** The path that stands for standard input. */
export const standardInput = '-'

/** As the contract says of `uploadFile`; a larger one need not be read to be refused. */
export const maxFileBytes = 33_554_432

/** Undefined where nothing so large is taken. */
export async function readContent(path: string): Promise<Content | undefined> {
  const isInput = path === standardInput
  if (!isInput && (await stat(path)).size > maxFileBytes) return undefined
  const bytes = await (isInput ? buffer(process.stdin) : readFile(path))
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}
