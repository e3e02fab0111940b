import { basename } from 'node:path'

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
