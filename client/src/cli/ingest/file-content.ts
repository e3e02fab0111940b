import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { bytesOfCharacter, limits } from './limits.ts'

/** The bytes of a file, and their SHA-256. */
export type Content = { bytes: Buffer; sha256: string }

/** The path that stands for standard input. */
export const standardInput = '-'

/** Undefined where nothing so large is taken. */
export async function readContent(path: string): Promise<Content | undefined> {
  const isInput = path === standardInput
  if (!isInput && (await stat(path)).size > largest) return undefined
  const bytes = await (isInput ? buffer(process.stdin) : readFile(path))
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

const largest = limits.textLength * bytesOfCharacter

/** The text of a file, or why it has none that is taken. */
export type FileText = { text: string } | { reason: string }

export function textOf(bytes: Buffer): FileText {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { reason: 'is no text in UTF-8' }
  }
  if (text.includes('\0')) return { reason: 'is no text' }
  if (text.trim() === '') return { reason: 'is empty' }
  if (isTooLong(text)) return { reason: 'is too long' }
  return { text }
}

/** Length counts code units, and the limit counts characters. */
export function isTooLong(text: string): boolean {
  if (text.length <= limits.textLength) return false
  let length = 0
  for (const _ of text) length += 1
  return length > limits.textLength
}
