import { foreignPackage, refuseForeign } from './foreign-kinds.ts'
import { encrypted } from './refusals.ts'
import { readEntries, namesIn } from './zip.ts'

export type Package = 'docx' | 'pptx' | 'xlsx' | 'epub' | 'odt' | 'ods'
export type Kind = 'pdf' | Package

const pdfMark = '%PDF-'
/** Some programs write lines or bytes before the mark. */
const laterPdfMark = /(?:[\r\n\0]|^\xef\xbb\xbf)%PDF-/
/** Of which a file has one, and a text that tells of PDF mostly none. */
const pdfParts = ['endobj', 'startxref', '%%EOF']
const headLength = 1_024
const zipMarks = ['PK\x03\x04', 'PK\x05\x06']

/** Undefined for bytes without a mark, as of a text. @throws `unsupported_media_type`, `unreadable_file` */
export function markedKind(bytes: Buffer): 'pdf' | 'zip' | undefined {
  const head = bytes.toString('latin1', 0, headLength)
  if (isPdf(bytes, head)) return 'pdf'
  if (zipMarks.some((mark) => head.startsWith(mark))) return 'zip'
  refuseForeign(bytes, head)
  return undefined
}

const isPdf = (bytes: Buffer, head: string): boolean =>
  head.startsWith(pdfMark) ||
  (laterPdfMark.test(head) && pdfParts.some((part) => bytes.includes(part)))

const folders: [Package, string][] = [
  ['docx', 'word/'],
  ['pptx', 'ppt/'],
  ['xlsx', 'xl/'],
  ['epub', 'META-INF/container.xml'],
]
/** An XLSB, which is no XML. */
const binaryWorkbook = 'xl/workbook.bin'

/** @throws ServiceError `unsupported_media_type`, `unreadable_file` */
export function packageKind(bytes: Buffer): Package {
  const names = namesIn(bytes)
  const [kind] = folders.find(([, start]) => names.some((name) => name.startsWith(start))) ?? []
  if (kind && !names.includes(binaryWorkbook)) return kind
  const type = openDocumentType(bytes)
  if (type.startsWith('text')) return 'odt'
  if (type.startsWith('spreadsheet')) return 'ods'
  if (isWorkbook(bytes)) return 'xlsx'
  throw foreignPackage(names, type)
}

/** A workbook whose parts are not in the usual folder. */
const isWorkbook = (bytes: Buffer): boolean =>
  Buffer.from(readEntries(bytes, contentTypes).get('[Content_Types].xml') ?? []).includes(
    'spreadsheetml.sheet.main+xml',
  )
const contentTypes = /^\[Content_Types\]\.xml$/

const openDocument = /^application\/vnd\.oasis\.opendocument\.(?<type>[\w-]+)/

function openDocumentType(bytes: Buffer): string {
  const entries = readEntries(bytes, /^(?:mimetype|META-INF\/manifest\.xml)$/)
  const textOf = (name: string): string => Buffer.from(entries.get(name) ?? []).toString('latin1')
  const type = openDocument.exec(textOf('mimetype'))?.groups?.['type'] ?? ''
  if (type !== '' && textOf('META-INF/manifest.xml').includes(':encryption-data')) throw encrypted()
  return type
}
