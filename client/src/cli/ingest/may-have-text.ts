export const isEmpty = (bytes: Buffer): boolean => bytes.toString('latin1').trim() === ''

const headLength = 1_024
const marks = ['%PDF-', 'PK\x03\x04', '\xd0\xcf\x11\xe0', '\xff\xfe', '\xfe\xff']

/**
 * Whether the service may find text in a file: in one without a zero byte, and in documents and UTF-16, which
 * have a mark. A folder's pictures and programs need not be sent again and again to be refused.
 */
export function mayHaveText(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, headLength)
  return !head.includes('\0') || marks.some((mark) => head.includes(mark))
}
