import { zipSync } from 'fflate'
import { convertToHtml, images } from 'mammoth'
import { decodeText } from './decode-text.ts'
import { headingStyles } from './docx-styles.ts'
import { docxXml } from './docx-xml.ts'
import type { FileText } from './file-text.ts'
import { readHtml } from './html.ts'
import { readEntries } from './zip.ts'

const wanted = /\.(?:xml|rels)$/i
const withText = /^word\/(?:document|footnotes|endnotes)\d*\.xml$/
/** From a note back to where it is referred to. */
const backLink = /<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g
const levels = [1, 2, 3, 4, 5]
/** Lists go on after other paragraphs, and mammoth counts each anew: no number is better than a wrong one. */
const lists = levels.map(
  (level) => `p:ordered-list(${level}) => ${'ul > li > '.repeat(level - 1)}ul > li:fresh`,
)

/** Packed anew, so that mammoth unpacks no more than was measured. */
export async function readDocx(bytes: Uint8Array): Promise<FileText> {
  const entries = readEntries(bytes, wanted)
  for (const [name, xml] of entries) {
    const text = withText.test(name) ? decodeText(xml) : undefined
    if (text !== undefined) entries.set(name, Buffer.from(docxXml(text)))
  }
  const styleMap = [...headingStyles(entries.get('word/styles.xml')), ...lists]
  const buffer = Buffer.from(zipSync(Object.fromEntries(entries), { level: 0 }))
  const convertImage = images.imgElement(async () => ({ src: '' }))
  const { value } = await convertToHtml({ buffer }, { styleMap, convertImage })
  return readHtml(value.replace(backLink, ''))
}
