import { getDocumentProxy } from 'unpdf'
import type { PDFPageProxy } from 'unpdf/pdfjs'
import { maxLengths } from '../../generated/max-lengths.gen.ts'
import type { FileText } from './file-text.ts'
import { type Annotation, linesOfFields } from './pdf-fields.ts'
import { headingSizes } from './pdf-headings.ts'
import { type Line, linesOf } from './pdf-lines.ts'
import { withoutMargins } from './pdf-margins.ts'
import { inReadingOrder, withFields } from './pdf-order.ts'
import { pageText } from './pdf-page.ts'
import { joinPages } from './pages.ts'
import { encrypted, textTooLong } from './refusals.ts'

/** In UTF-16 code units, of which a character has two at most. */
const maxUnits = 2 * maxLengths.DatasourceText

/** The text of a PDF page by page; lines in larger letters become headings. */
export async function readPdf(bytes: Uint8Array): Promise<FileText> {
  const lines = await linesOfPages(bytes)
  const sizes = headingSizes(lines.flat())
  const pages = withoutMargins(lines, sizes)
  return joinPages(pages.map((page) => pageText(page, sizes)))
}

async function linesOfPages(bytes: Uint8Array): Promise<Line[][]> {
  const document = await getDocumentProxy(new Uint8Array(bytes), options).catch(toRefusal)
  const pages: Line[][] = []
  let units = 0
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const lines = await linesOfPage(page)
    page.cleanup()
    pages.push(lines)
    units += lines.reduce((sum, { text }) => sum + text.length, 0)
    if (units > maxUnits) throw textTooLong(maxLengths.DatasourceText)
  }
  return pages
}

async function linesOfPage(page: PDFPageProxy): Promise<Line[]> {
  const { items } = await page.getTextContent()
  const annotations: Annotation[] = await page.getAnnotations()
  return withFields(inReadingOrder(linesOf(items)), linesOfFields(annotations))
}

/** No code of a file is run, and nothing is fetched. */
const options = { verbosity: 0, isEvalSupported: false, useWorkerFetch: false, enableXfa: false }

function toRefusal(error: unknown): never {
  throw error instanceof Error && error.name === 'PasswordException' ? encrypted() : error
}
