import { isText } from './is-text.ts'

/** In bytes; what is behind it is of the same encoding. */
const sampleLength = 16 * 1024
const unusual = /[\p{Cn}\p{Co}\ufffd]/v

/** Which UTF-16 a text without a mark is in: its characters are of few blocks, and so one byte of each is of few values. */
export function encodingByZeros(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length < 2 || bytes.length % 2 === 1) return undefined
  const sample = bytes.subarray(0, sampleLength)
  // Each other encoding has none of these.
  if (!sample.some((byte) => byte < 0x09)) return undefined
  const found = (['utf-16le', 'utf-16be'] as const)
    .filter((encoding) => isWritten(new TextDecoder(encoding).decode(sample)))
    .map((encoding) => ({ encoding, blocks: blocksIn(sample, encoding === 'utf-16le' ? 1 : 0) }))
    .toSorted((a, b) => a.blocks - b.blocks)
  return found[0]?.encoding
}

/** The last character may be cut. */
const isWritten = (text: string): boolean => {
  const whole = text.slice(0, -1)
  return isText(whole) && !unusual.test(whole)
}

const blocksIn = (sample: Uint8Array, at: 0 | 1): number =>
  new Set(sample.filter((_, index) => index % 2 === at)).size
