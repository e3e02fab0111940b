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
  const kind = markedKind(bytes)
  if (kind === undefined) return readText(bytes, isNamedHtml)
  const reader = readers[kind === 'zip' ? packageKind(bytes) : kind]
  return checkedText(await reader(bytes).catch(toRefusal))
}

async function readText(bytes: Buffer, isNamedHtml: boolean): Promise<FileText> {
  const text = decodeText(bytes)
  if (text === undefined) throw unsupported()
  if (!isHtml(text, isNamedHtml)) return checkedText({ text, pages: null })
  const { readHtml } = await import('./html.ts')
  return checkedText(readHtml(text))
}

type Reader = (bytes: Buffer) => Promise<FileText>

const readers: Record<Kind, Reader> = {
  pdf: async (bytes) => (await import('./pdf.ts')).readPdf(bytes),
  docx: async (bytes) => (await import('./docx.ts')).readDocx(bytes),
  pptx: async (bytes) => (await import('./pptx.ts')).readPptx(bytes),
  xlsx: async (bytes) => (await import('./xlsx.ts')).readXlsx(bytes),
  epub: async (bytes) => (await import('./epub.ts')).readEpub(bytes),
}

/** Libraries say of a broken file whatever they stumble over. */
function toRefusal(error: unknown): never {
  throw error instanceof ServiceError ? error : broken()
}
