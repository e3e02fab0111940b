import { encrypted, foreign } from './refusals.ts'
import { readEntries, namesOfFiles } from './zip.ts'
import type { ServiceError } from '../errors/errors.ts'

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
  const names = namesOfFiles(bytes)
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

/** Files that are not read: their first bytes, their kind, and what to send instead. */
type Foreign = [mark: RegExp, what: string, wayOut: string]

const asText = 'Have its text recognised, and send that.'
const asTranscript = 'Send what is said in it as a text, VTT or SRT.'
const unpacked = 'Unpack it, and send its files one by one.'
const exported = 'Export what it holds as CSV or text.'

const flatOpenDocument =
  /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)?<office:document\s/

const kinds: Foreign[] = [
  [/^\{\\rtf/, 'RTF', 'Save it as DOCX.'],
  [
    flatOpenDocument,
    'an OpenDocument as one XML (FODT, FODS or FODP)',
    'Save it as ODT, ODS or PDF.',
  ],
  [/^\x89PNG/, 'a picture (PNG)', asText],
  [/^\xff\xd8\xff/, 'a picture (JPEG)', asText],
  [/^GIF8[79]a/, 'a picture (GIF)', asText],
  [/^(?:II\*\0|MM\0\*)/, 'a picture (TIFF)', asText],
  [/^BM[^]{4}\0\0\0\0/, 'a picture (BMP)', asText],
  [/^RIFF[^]{4}WEBP/, 'a picture (WebP)', asText],
  [/^\0{3}[^]ftyp(?:heic|heix|mif1|avif)/, 'a picture (HEIC or AVIF)', asText],
  [/^8BPS\0\x01/, 'a picture (PSD)', asText],
  [/^AT&TFORM/, 'a DjVu', 'Save it as a PDF with its text recognised.'],
  [/^(?:\0{3}[^]ftyp|\x1aE\xdf\xa3|RIFF[^]{4}AVI |\0\0\x01\xba)/, 'a film', asTranscript],
  [/^(?:ID3[\x02-\x04]\0|OggS\0|fLaC\0|RIFF[^]{4}WAVE|#!AMR\n)/, 'a recording', asTranscript],
  [/^\x1f\x8b/, 'compressed (GZIP)', unpacked],
  [/^BZh[1-9]1AY&SY/, 'compressed (BZIP2)', unpacked],
  [/^\xfd7zXZ\0/, 'compressed (XZ)', unpacked],
  [/^\x28\xb5\x2f\xfd/, 'compressed (Zstandard)', unpacked],
  [/^7z\xbc\xaf\x27\x1c/, 'an archive (7z)', unpacked],
  [/^Rar!\x1a\x07/, 'an archive (RAR)', unpacked],
  [/^[^]{257}ustar/, 'an archive (TAR)', unpacked],
  [/^[^]{60}BOOKMOBI/, 'a MOBI or AZW', 'Save it as EPUB.'],
  [/^ITSF\x03\0/, 'a CHM', 'Send its pages as HTML.'],
  [/^!BDN/, 'a mailbox (PST)', 'Save its mails as EML.'],
  [/^SQLite format 3\0/, 'a database (SQLite)', exported],
  [/^PAR1[\0-\x1f]/, 'a Parquet', exported],
  [/^(?:\x7fELF|MZ[^]{2}\0|\0asm|\xca\xfe\xba\xbe|\xcf\xfa\xed\xfe)/, 'a program', 'Send text.'],
]

/** The mark of Office's files before 2007, and of newer ones with a password. */
const compoundMark = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'
/** The kind of such a file, by the name of a stream in it. */
const compounds: [stream: string, what: string, wayOut: string][] = [
  ['WordDocument', 'a DOC of Word before 2007', 'Save it as DOCX.'],
  ['PowerPoint Document', 'a PPT of PowerPoint before 2007', 'Save it as PPTX.'],
  ['Workbook', 'an XLS of Excel before 2007', 'Save it as XLSX or CSV.'],
  ['__substg1.0_', 'a mail of Outlook (MSG)', 'Save it as EML.'],
  ['', 'of an old Office program', 'Save it as DOCX, PPTX, XLSX or PDF.'],
]

/** @throws ServiceError `unsupported_media_type`, `unreadable_file` */
function refuseForeign(bytes: Buffer, head: string): void {
  if (head.startsWith(compoundMark)) throw refusalOfCompound(bytes)
  const [, what, wayOut] = kinds.find(([mark]) => mark.test(head)) ?? []
  if (what && wayOut) throw foreign(what, wayOut)
}

function refusalOfCompound(bytes: Buffer): ServiceError {
  const has = (stream: string): boolean => bytes.includes(Buffer.from(stream, 'utf16le'))
  if (has('EncryptedPackage')) return encrypted()
  const [, what, wayOut] = compounds.find(([stream]) => has(stream))!
  return foreign(what, wayOut)
}

const packages: [entry: RegExp, what: string, wayOut: string][] = [
  [/^xl\/workbook\.bin$/, 'an XLSB', 'Save it as XLSX.'],
  [/^Index\/.*\.iwa$|^Index\.zip$/, 'of Pages, Numbers or Keynote', 'Export it as PDF or Office.'],
  [/^visio\//, 'a VSDX', 'Save it as PDF.'],
  [/^AndroidManifest\.xml$|^META-INF\/MANIFEST\.MF$/, 'a program', 'Send text.'],
]

/** @param openType what an OpenDocument says that it is, "" for others */
function foreignPackage(names: string[], openType: string): ServiceError {
  if (openType === 'presentation') return foreign('an ODP', 'Save it as PPTX or PDF.')
  if (openType !== '') return foreign(`an OpenDocument of the type ${openType}`, 'Save it as PDF.')
  const [, what, wayOut] = packages.find(([entry]) => names.some((name) => entry.test(name))) ?? []
  return foreign(what ?? 'a ZIP of other files', wayOut ?? unpacked)
}
