import { isText, mayBeText } from './is-text.ts'
import { type Decoded, decodeAs } from './named-encoding.ts'

/** A text of Unicode, which takes little time to tell; undefined for others, which may be no text. */
export const unicodeText = (bytes: Uint8Array): Decoded | undefined =>
  firstText(bytes, [encodingByMark, () => 'utf-8', encodingByZeros])

/** Decodes Unicode, or the encoding that the sender or the text names. */
export const decodeText = (bytes: Uint8Array, charset?: string): Decoded | undefined =>
  firstText(bytes, [
    encodingByMark,
    () => usefulCharset(bytes, charset),
    () => 'utf-8',
    encodingByZeros,
    declaredEncoding,
  ])

const ascii = /^(?:us-?)?ascii$|^ansi_x3\.4-1968$/i

/** Programs that do not know an encoding say that it is ASCII, which has no letters with accents. */
const usefulCharset = (bytes: Uint8Array, charset?: string): string | undefined =>
  charset && ascii.test(charset) && bytes.some((byte) => byte > 0x7f) ? undefined : charset

function firstText(
  bytes: Uint8Array,
  encodings: ((bytes: Uint8Array) => string | undefined)[],
): Decoded | undefined {
  for (const encodingOf of encodings) {
    const decoded = decodeAs(encodingOf(bytes), bytes)
    if (decoded && isText(decoded.text) && !escapes.test(decoded.text)) return decoded
  }
  return undefined
}

/** Those of ISO-2022, which is ASCII to others. */
const escapes = /\x1b\$(?:[@AB]|\)C)/

function encodingByMark([first, second, third, fourth]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) {
    return third === 0 && fourth === 0 ? 'utf-32le' : 'utf-16le'
  }
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined
}

const inMeta = /<meta\b[^>]{0,200}?\bcharset\s*=\s*["']?\s*(?<label>[\w:.-]{1,40})/i
const inXml = /^\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["'](?<label>[\w:.-]{1,40})/i
const inCss = /^@charset\s+"(?<label>[\w:.-]{1,40})"/i

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const { groups } = inXml.exec(text) ?? inMeta.exec(text) ?? inCss.exec(text) ?? {}
  const label = groups?.['label']
  // If it can be read in these bytes, they are no UTF-16.
  return label && /^utf-?16/i.test(label) ? undefined : label
}

/** In bytes; what is behind it is of the same encoding. */
const sampleLength = 16 * 1024
const unusual = /[\p{Cn}\p{Co}\ufffd]/v

/** Guesses the UTF-16 of a text without a mark. One byte of each character varies little. */
function encodingByZeros(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length < 2 || bytes.length % 2 === 1) return undefined
  const sample = bytes.subarray(0, sampleLength)
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

/** Decodes a text of any encoding. Undefined for other bytes. Loads the detector only if it is needed. */
export async function anyText(bytes: Uint8Array, charset?: string): Promise<Decoded | undefined> {
  const decoded = decodeText(bytes, charset)
  if (decoded || !mayBeText(bytes)) return decoded
  const { detectText } = await import('./detect-text.ts')
  return detectText(bytes)
}
