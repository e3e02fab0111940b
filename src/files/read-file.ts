import { ServiceError } from '../errors/errors.ts'
import { anyText } from './decode-text.ts'
import { checkedText } from './checked-text.ts'
import type { FileText } from './file-text.ts'
import { type Kind, markedKind, packageKind } from './kind.ts'
import { broken, unsupported } from './refusals.ts'
import { textKindOf } from './text-kind.ts'
import type { TextKind, FileHints } from './uploaded-file.ts'

/** Recognizes a file by its content, and loads libraries only for it. @throws ServiceError as `Files.read` */
export async function readFile(bytes: Buffer, hints: FileHints): Promise<FileText> {
  const marked = markedKind(bytes)
  if (marked === undefined) return readText(bytes, hints)
  const read = await readers[marked === 'zip' ? packageKind(bytes) : marked]()
  return checked(() => read(bytes))
}

async function readText(bytes: Buffer, hints: FileHints): Promise<FileText> {
  const decoded = await anyText(bytes, hints.charset)
  if (!decoded) throw unsupported()
  const { text, encoding } = decoded
  const kind = textKindOf(text, hints)
  if (kind === undefined) return checkedText(decoded)
  const read = await textReaders[kind]()
  // Each part of a mail has its own.
  return checked(async () => ({
    ...(await read(text, bytes)),
    ...(kind !== 'mail' && { encoding }),
  }))
}

async function checked(read: () => FileText | Promise<FileText>): Promise<FileText> {
  try {
    return await checkedText(await read())
  } catch (error) {
    // The errors of libraries for broken files vary.
    throw error instanceof ServiceError ? error : broken()
  }
}

type Reader = (bytes: Buffer) => FileText | Promise<FileText>
type TextReader = (text: string, bytes: Buffer) => FileText | Promise<FileText>

const readers: Record<Kind, () => Promise<Reader>> = {
  pdf: async () => (await import('./pdf.ts')).readPdf,
  docx: async () => (await import('./docx.ts')).readDocx,
  pptx: async () => (await import('./pptx.ts')).readPptx,
  xlsx: async () => (await import('./xlsx.ts')).readXlsx,
  odt: async () => (await import('./odt.ts')).readOdt,
  ods: async () => (await import('./ods.ts')).readOds,
  epub: async () => (await import('./epub.ts')).readEpub,
}

const textReaders: Record<TextKind, () => Promise<TextReader>> = {
  html: async () => (await import('./html.ts')).readHtmlPage,
  mail: async () => (await import('./mail.ts')).readMail,
  notebook: async () => (await import('./notebook.ts')).readNotebook,
  calendar: async () => (await import('./calendar.ts')).readCalendar,
  feed: async () => (await import('./feed.ts')).readFeed,
  contacts: async () => (await import('./contacts.ts')).readContacts,
  subtitles: async () => (await import('./subtitles.ts')).readSubtitles,
}
