import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getDocumentProxy } from 'unpdf'
import { maxLengths } from '../../generated/max-lengths.gen.ts'
import type { FileText } from './file-text.ts'
import { headingStyles } from './pdf-headings.ts'
import type { PdfLine } from './pdf-lines.ts'
import { withoutMargins } from './pdf-margins.ts'
import { pageText } from './pdf-page.ts'
import { linesOfPage } from './pdf-read-page.ts'
import { drawnTables } from './pdf-tables.ts'
import { joinPages } from './pages.ts'
import { encrypted, textTooLong } from './refusals.ts'

/** In UTF-16 code units, of which a character has two at most. */
const maxUnits = 2 * maxLengths.StoredText

/** The text of a PDF page by page; lines in larger or bold letters become headings. */
export async function readPdf(bytes: Uint8Array): Promise<FileText> {
  const lines = await linesOfPages(bytes)
  const styles = headingStyles(lines.flat())
  const pages = withoutMargins(lines, styles)
  const tables = drawnTables(pages)
  return joinPages(pages.map((page, index) => pageText(page, tables[index]!, styles)))
}

async function linesOfPages(bytes: Uint8Array): Promise<PdfLine[][]> {
  const document = await getDocumentProxy(new Uint8Array(bytes), options).catch(toRefusal)
  const layers = await document.getOptionalContentConfig()
  const pages: PdfLine[][] = []
  let units = 0
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const lines = await linesOfPage(page, layers)
    page.cleanup()
    pages.push(lines)
    units += lines.reduce((sum, { text }) => sum + text.length, 0)
    if (units > maxUnits) throw textTooLong(maxLengths.StoredText)
  }
  return pages
}

/** The meaning of character names that fonts use without defining them. */
const cMaps = join(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')), '../cmaps/')

/** Runs no code of a file, fetches nothing, and unpacks no picture. */
const options = {
  verbosity: 0,
  isEvalSupported: false,
  useWorkerFetch: false,
  enableXfa: false,
  cMapUrl: cMaps,
  cMapPacked: true,
  maxImageSize: 1,
}

function toRefusal(error: unknown): never {
  throw error instanceof Error && error.name === 'PasswordException' ? encrypted() : error
}
