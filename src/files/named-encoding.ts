import iconv from 'iconv-lite'

export type Decoded = { text: string; encoding: string }

/** Encodings that `TextDecoder` lacks. `iconv-lite` takes other names for conversions that are no text encodings. */
const older = /^(?:cp|ibm|mac|iso|koi|tis|utf-?32)[\w-]*$/i

/** Undefined for an unknown encoding, and for bytes that are invalid in it. */
export function decodeAs(label: string | undefined, bytes: Uint8Array): Decoded | undefined {
  if (label === undefined) return undefined
  try {
    const decoder = decoderOf(label)
    if (!decoder) return decodeAsOlder(label, bytes)
    return { text: plainLines(decoder.decode(bytes)), encoding: decoder.encoding }
  } catch {
    return undefined
  }
}

function decoderOf(label: string) {
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    return undefined
  }
}

const endOfFile = '\x1a'

/** Programs of DOS end a text with a sign. Old ones, and Excel for Mac, end a line with a carriage return alone. */
function plainLines(text: string): string {
  let end = text.length
  while (text[end - 1] === endOfFile) end -= 1
  const written = text.slice(0, end)
  return written.includes('\n') ? written : written.replaceAll('\r', '\n')
}

function decodeAsOlder(encoding: string, bytes: Uint8Array): Decoded | undefined {
  if (!older.test(encoding) || !iconv.encodingExists(encoding)) return undefined
  const text = iconv.decode(bytes, encoding)
  return text.includes('\ufffd')
    ? undefined
    : { text: plainLines(text), encoding: encoding.toLowerCase() }
}
