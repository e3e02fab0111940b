/** Of the head of a part; busboy reads no longer ones. */
const maxHead = 16 * 1024
const maxParts = 32
const ofFile = /^content-disposition:[^\n]*\bfilename\*?=/im
const typeWithCharset = /^content-type:[^\n]*;\s*charset\s*=\s*"?(?<charset>[\w:.-]{1,40})/im

/** The charset of a form's part that is a file, which busboy leaves out; undefined where it has none. */
export function fileCharset(bytes: Buffer, boundary: string): string | undefined {
  const delimiter = `--${boundary}\r\n`
  let at = bytes.indexOf(delimiter)
  for (let part = 0; at >= 0 && part < maxParts; part++) {
    const start = at + delimiter.length
    const head = bytes.toString('latin1', start, start + maxHead)
    const fields = head.slice(0, Math.max(0, head.indexOf('\r\n\r\n')))
    if (ofFile.test(fields)) return typeWithCharset.exec(fields)?.groups?.['charset']
    at = bytes.indexOf(delimiter, start)
  }
  return undefined
}
