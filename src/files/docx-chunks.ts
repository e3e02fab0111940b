import { anyText } from './decode-text.ts'
import { textParagraph } from './docx-paragraph.ts'
import { readHtml } from './html.ts'
import { relationshipsOf } from './relationships.ts'
import type { Entries } from './zip.ts'

/** What stands for a file in the package, whose text Word shows there. Programs put their HTML so into a DOCX. */
export const chunkParagraph = (reference: string): string =>
  textParagraph(`\ue000${reference}\ue000`)

const chunk = /\ue000([\w.-]{1,100})\ue000/
export const chunkFile = /\.(?:x?html?|mht|mhtml|txt)$/i

/** The text of a DOCX with the texts of such files, of each once. */
export async function withChunks(text: string, entries: Entries): Promise<string> {
  const related = relationshipsOf(entries, 'word/document.xml')
  const read = new Set<string>()
  const pieces = text.split(chunk)
  for (let at = 1; at < pieces.length; at += 2) {
    const { type, target = '' } = related.get(pieces[at]!) ?? {}
    const isChunk = type === 'aFChunk' && chunkFile.test(target) && !read.has(target)
    pieces[at] = isChunk ? await textOf(target, entries.get(target)) : ''
    read.add(target)
  }
  return pieces.join('').trim()
}

async function textOf(name: string, bytes: Uint8Array = new Uint8Array()): Promise<string> {
  const text = (await anyText(bytes))?.text ?? ''
  if (/\.mht(?:ml)?$/i.test(name)) {
    const { readMail } = await import('./mail.ts')
    return (await readMail(text, bytes)).text
  }
  return /html?$/i.test(name) ? readHtml(text) : text
}
