import { declaredEncoding } from './declared-encoding.ts'
import { isText } from './is-text.ts'
import { decodeAs } from './named-encoding.ts'
import { encodingByZeros } from './utf-16.ts'

/** A text of Unicode, which takes little time to tell; undefined for others, which may be no text. */
export const unicodeText = (bytes: Uint8Array): string | undefined =>
  firstText(bytes, [encodingByMark, () => 'utf-8', encodingByZeros])

/** The same, or a text of the encoding that its sender names, or that it names itself. */
export const decodeText = (bytes: Uint8Array, charset?: string): string | undefined =>
  firstText(bytes, [
    encodingByMark,
    () => charset,
    () => 'utf-8',
    encodingByZeros,
    declaredEncoding,
  ])

function firstText(
  bytes: Uint8Array,
  encodings: ((bytes: Uint8Array) => string | undefined)[],
): string | undefined {
  for (const encodingOf of encodings) {
    const text = decodeAs(encodingOf(bytes), bytes)
    if (text !== undefined && isText(text) && !escapes.test(text)) return text
  }
  return undefined
}

/** Those of ISO-2022, which is ASCII to others. */
// oxlint-disable-next-line no-control-regex
const escapes = /\x1b\$(?:[@AB]|\)C)/

function encodingByMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined
}
