import { encrypted, unsupported } from './refusals.ts'
import { namesIn } from './zip.ts'

export type Package = 'docx' | 'pptx' | 'xlsx' | 'epub'
export type Kind = 'pdf' | Package

const pdfMark = '%PDF-'
/** Some programs write something before the mark. */
const headLength = 1_024
const zipMarks = ['PK\x03\x04', 'PK\x05\x06']
/** The mark of Office's files before 2007, and of newer ones with a password. */
const compoundMark = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'
const encryptedPart = Buffer.from('EncryptedPackage', 'utf16le')

const richTextMark = '{\\rtf'

/** Undefined for bytes without a mark, as of a text. @throws `unsupported_media_type`, `unreadable_file` */
export function markedKind(bytes: Buffer): 'pdf' | 'zip' | undefined {
  const head = bytes.toString('latin1', 0, headLength)
  if (head.includes(pdfMark)) return 'pdf'
  if (zipMarks.some((mark) => head.startsWith(mark))) return 'zip'
  if (head.startsWith(richTextMark)) throw unsupported()
  if (!head.startsWith(compoundMark)) return undefined
  throw bytes.includes(encryptedPart) ? encrypted() : unsupported()
}

/** Markdown may begin with other tags. */
const htmlStart =
  /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,1000}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/is
const htmlHead = 4_096
const anyTag = /<[a-z][^<>]*>/i

/** @param isNamedHtml whether its name or media type says so, which decides where only tags tell */
export const isHtml = (text: string, isNamedHtml: boolean): boolean =>
  htmlStart.test(text.slice(0, htmlHead)) || (isNamedHtml && anyTag.test(text))

/** An XLSB, which is no XML. */
const binaryWorkbook = 'xl/workbook.bin'

const folders: [Package, string][] = [
  ['docx', 'word/'],
  ['pptx', 'ppt/'],
  ['xlsx', 'xl/'],
  ['epub', 'META-INF/container.xml'],
]

/** @throws ServiceError `unsupported_media_type`, `unreadable_file` */
export function packageKind(bytes: Buffer): Package {
  const names = namesIn(bytes)
  const [kind] = folders.find(([, start]) => names.some((name) => name.startsWith(start))) ?? []
  if (!kind || names.includes(binaryWorkbook)) throw unsupported()
  return kind
}
