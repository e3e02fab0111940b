import iconv from 'iconv-lite'

/** Encodings that `TextDecoder` lacks. `iconv-lite` takes other names for conversions that are no text encodings. */
const older = /^(?:cp|ibm|mac|iso|koi|tis|utf-?32)[\w-]*$/i

/** Undefined for an unknown encoding, and for bytes that are invalid in it. */
export function decodeAs(encoding: string | undefined, bytes: Uint8Array): string | undefined {
  if (encoding === undefined) return undefined
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return decodeAsOlder(encoding, bytes)
  }
}

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
