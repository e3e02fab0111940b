export const isEmpty = (bytes: Buffer): boolean => bytes.toString('latin1').trim() === ''

/** The service unpacks none. */
export const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

const headLength = 1_024
const marks = ['%PDF-', 'PK\x03\x04', '\xd0\xcf\x11\xe0', '\xff\xfe', '\xfe\xff']

/**
 * Whether the service may find text in a file: in one without a zero byte, in documents, which have a mark, and
 * in UTF-16. A folder's pictures and programs need not be sent again and again to be refused.
 */
export function mayHaveText(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, headLength)
  return !head.includes('\0') || marks.some((mark) => head.includes(mark)) || mayBeUtf16(head)
}

const minZerosOfUtf16 = 4

/** Without a mark its zeros are those of blanks, digits and Latin letters: all first bytes, or all second ones. */
function mayBeUtf16(head: string): boolean {
  const zeros = Array.from(head.matchAll(/\0/g), ({ index }) => index % 2)
  return zeros.length >= minZerosOfUtf16 && new Set(zeros).size === 1
}
