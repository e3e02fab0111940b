import iconv from 'iconv-lite'

export type Decoded = { text: string; encoding: string }

/** Encodings that `TextDecoder` lacks. `iconv-lite` takes other names for conversions that are no text encodings. */
const older = /^(?:cp|ibm|mac|iso|koi|tis|utf-?32)[\w-]*$/i

/** Undefined for an unknown encoding, and for bytes that are invalid in it. */
export function decodeAs(label: string | undefined, bytes: Uint8Array): Decoded | undefined {
  if (label === undefined) return undefined
  try {
    const decoder = new TextDecoder(label, { fatal: true })
    return { text: withLineFeeds(decoder.decode(bytes)), encoding: decoder.encoding }
  } catch {
    const text = decodeAsOlder(label, bytes)
    return text === undefined
      ? undefined
      : { text: withLineFeeds(text), encoding: label.toLowerCase() }
  }
}

/** Old programs, and Excel for Mac, end a line with a carriage return alone. */
const withLineFeeds = (text: string): string =>
  text.includes('\n') ? text : text.replaceAll('\r', '\n')

function decodeAsOlder(encoding: string, bytes: Uint8Array): string | undefined {
  if (!older.test(encoding) || isKnown(encoding) || !iconv.encodingExists(encoding))
    return undefined
  const text = iconv.decode(bytes, encoding)
  return text.includes('\ufffd') ? undefined : text
}

function isKnown(encoding: string): boolean {
  try {
    return new TextDecoder(encoding).encoding !== ''
  } catch {
    return false
  }
}
