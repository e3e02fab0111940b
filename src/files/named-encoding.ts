import iconv from 'iconv-lite'

/** Those that `TextDecoder` lacks; `iconv-lite` takes other names for what is no encoding of text. */
const older = /^(?:cp|ibm|mac|iso|koi|tis|utf-?32)[\w-]*$/i

/** Undefined for an encoding that is not known, and for bytes that are not of it. */
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
