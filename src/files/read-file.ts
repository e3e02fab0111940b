import { ServiceError } from '../errors.ts'
import { checkedText } from './checked-text.ts'
import { decodeText } from './decode-text.ts'
import type { FileText } from './file-text.ts'
import { isHtml, type Kind, markedKind, packageKind } from './kind.ts'
import { broken, unsupported } from './refusals.ts'

/**
 * The text of a file. What it is, is told by its content; libraries are loaded only for it.
 * @throws ServiceError `unsupported_media_type`, `unreadable_file`, `no_text`, `payload_too_large`
 */
export async function readFile(bytes: Buffer, isNamedHtml: boolean): Promise<FileText> {
  const marked = markedKind(bytes)
  if (marked === undefined) return readText(bytes, isNamedHtml)
  const read = await readers[marked === 'zip' ? packageKind(bytes) : marked]()
  try {
    return checkedText(await read(bytes))
  } catch (error) {
    // Libraries say of a broken file whatever they stumble over.
    throw error instanceof ServiceError ? error : broken()
  }
}

async function readText(bytes: Buffer, isNamedHtml: boolean): Promise<FileText> {
  const text = decodeText(bytes)
  if (text === undefined) throw unsupported()
  if (!isHtml(text, isNamedHtml)) return checkedText({ text, pages: null })
  const { readHtml } = await import('./html.ts')
  return checkedText(readHtml(text))
}

type Reader = (bytes: Buffer) => FileText | Promise<FileText>

const readers: Record<Kind, () => Promise<Reader>> = {
  pdf: async () => (await import('./pdf.ts')).readPdf,
  docx: async () => (await import('./docx.ts')).readDocx,
  pptx: async () => (await import('./pptx.ts')).readPptx,
  xlsx: async () => (await import('./xlsx.ts')).readXlsx,
  epub: async () => (await import('./epub.ts')).readEpub,
}
