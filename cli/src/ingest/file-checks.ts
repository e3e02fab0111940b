import { basename } from 'node:path'

export const isEmpty = (bytes: Buffer): boolean => bytes.toString('latin1').trim() === ''

/** The service unpacks none. */
export const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

const headLength = 1_024
const marks = ['%PDF-', 'PK\x03\x04', '\xd0\xcf\x11\xe0', '\xff\xfe', '\xfe\xff']

/* oxlint-disable no-control-regex -- marks of files are bytes */
/** Pictures, archives, fonts, sounds and films, databases and programs. */
const marksOfOthers: RegExp[] = [
  /^(?:\x89PNG|\xff\xd8\xff|GIF8|II\*\0|MM\0\*|BM[^]{4}\0\0|8BPS|AT&TFORM)/,
  /^(?:BZh|\xfd7zXZ|\x28\xb5\x2f\xfd|7z\xbc\xaf|Rar!|[^]{257}ustar)/,
  /^(?:wOF[F2]|OTTO|ttcf)/,
  /^(?:ID3[\x02-\x04]|OggS|fLaC|RIFF|\xff[\xf2-\xfb]|\x1aE\xdf\xa3)/,
  /^(?:SQLite format 3|PAR1|\x7fELF|MZ|\0asm|\xca\xfe\xba\xbe|\xcf\xfa\xed\xfe)/,
]
/* oxlint-enable no-control-regex */

/**
 * Whether the service may find text in a file: in one without a zero byte, in documents, which have a mark, and
 * in UTF-16. A folder's pictures and programs need not be sent again and again to be refused.
 */
export function mayHaveText(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, headLength)
  if (!head.includes('\0') || marks.some((mark) => head.includes(mark))) return true
  return bytes.length % 2 === 0 && bytes.length >= minBytesOfUtf16 && mayBeUtf16(head)
}

/** Fewer look like letters by chance. */
const minBytesOfUtf16 = 8

/** Any byte of a character may be zero, as in U+3000 and U+0030, but no character of a text is U+0000. */
function mayBeUtf16(head: string): boolean {
  if (marksOfOthers.some((mark) => mark.test(head))) return false
  return !/^(?:[^]{2})*?\0\0/.test(head)
}

const builtName =
  /\.(?:m?js|css)\.map$|\.min\.(?:m?js|css)$|(?:^|[\\/])search[-_]?index[^\\/]*\.js(?:on)?$/i
const codeName = /\.(?:m?js|css)$/i
/** In characters. Minified code has few line ends. */
const maxMeanLine = 500

/** Whether a build tool made a file: minified code, a source map, or the index of a site's search. */
export function isBuilt(path: string, bytes: Buffer): boolean {
  if (builtName.test(path)) return true
  if (!codeName.test(path)) return false
  return bytes.length > maxMeanLine * bytes.toString('latin1').split('\n').length
}

/** Whether a file is the page to print that mdBook adds to a book: all of its pages once more. */
export const isWholeBook = (path: string, bytes: Buffer): boolean =>
  basename(path) === 'print.html' &&
  bytes.toString('latin1', 0, 1_024).includes('<!-- Book generated using mdBook -->')
