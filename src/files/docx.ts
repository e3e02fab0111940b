import { zipSync } from 'fflate'
import { convertToHtml, images } from 'mammoth'
import { chartIn, drawnTexts } from './drawings.ts'
import { decodeText } from './decode-text.ts'
import { chunkFile, withChunks } from './docx-chunks.ts'
import { docxMarginsOf } from './docx-margins.ts'
import { Numbering } from './docx-numbering.ts'
import { numberedStyle, type Paragraph, tableOf, textParagraph } from './docx-paragraph.ts'
import { DocxStyles, maxLevel, styleMapOf } from './docx-styles.ts'
import { DocxEditor } from './docx-xml.ts'
import type { FileText } from './file-text.ts'
import { readHtml } from './html.ts'
import { numberedClass } from './html-tags.ts'
import { relationshipsOf } from './relationships.ts'
import { type Entries, readEntries } from './zip.ts'

const wanted = new RegExp(`\\.(?:xml|rels)$|${chunkFile.source}`, 'i')
const withText = /^word\/(?<part>document|footnotes|endnotes)\d*\.xml$/
const backLink = /<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g
const checkBox = /<input type="checkbox"[^>]*>/g
const levels = [1, 2, 3, 4, 5]
/** Lists whose numbers Word does not store: no number is better than a wrong one. */
const lists = levels.map(
  (level) => `p:ordered-list(${level}) => ${'ul > li > '.repeat(level - 1)}ul > li:fresh`,
)

/** Struck out by its format, it is still text of the document. */
const keptStrike = 'strike => span'

/** Packed anew, so that mammoth unpacks no more than was measured. */
export async function readDocx(bytes: Uint8Array): Promise<FileText> {
  const entries = readEntries(bytes, wanted)
  const styles = new DocxStyles(entries.get('word/styles.xml'))
  const numbering = new Numbering(entries.get('word/numbering.xml'), styles.places)
  const paragraphs = editTexts(entries, styles, numbering)
  const styleMap = [
    ...styleMapOf(styles),
    ...boldMap(paragraphs),
    numberedMap(numberedStyle),
    ...lists,
    keptStrike,
  ]
  const buffer = Buffer.from(zipSync(Object.fromEntries(entries), { level: 0 }))
  const convertImage = images.imgElement(async () => ({ src: '' }))
  const { value } = await convertToHtml({ buffer }, { styleMap, convertImage })
  const text = readHtml(value.replace(backLink, '').replace(checkBox, textOfBox))
  return { text: await withChunks(text, entries) }
}

/** Edits the parts with text in place. @returns their paragraphs */
function editTexts(
  entries: Map<string, Uint8Array>,
  styles: DocxStyles,
  numbering: Numbering,
): Paragraph[] {
  return [...entries].flatMap(([name, xml]) => {
    const { part } = withText.exec(name)?.groups ?? {}
    const text = part ? decodeText(xml)?.text : undefined
    if (text === undefined) return []
    const editor = new DocxEditor(text, { styles, numbering, drawn: drawnIn(entries, name) })
    const edited = editor.edited()
    const whole = part === 'document' ? withMargins(edited, editor, entries) : edited
    entries.set(name, Buffer.from(whole))
    return editor.paragraphs
  })
}

const textOfBox = (box: string): string => (box.includes(' checked') ? ' [x] ' : ' [ ] ')

function drawnIn(entries: Entries, part: string): (reference: string) => string {
  const related = relationshipsOf(entries, part)
  return (reference) => {
    const { type, target = '' } = related.get(reference) ?? {}
    const xml = entries.get(target)
    if (!xml) return ''
    if (type !== 'chart') return drawnTexts(xml).map(textParagraph).join('')
    const { titles, rows } = chartIn(xml)
    return titles.map(textParagraph).join('') + (rows.length > 0 ? tableOf(rows) : '')
  }
}

/** Puts headers first and footers last, without lines that the text repeats. */
function withMargins(xml: string, { paragraphs }: DocxEditor, entries: Entries): string {
  const said = new Set(paragraphs.map(({ text }) => text))
  const { header, footer } = docxMarginsOf(entries)
  const textOf = (lines: string[]) =>
    lines
      .filter((line) => !said.has(line))
      .map(textParagraph)
      .join('')
  return xml
    .replace(/<w:body\b[^>]*>/, (tag) => tag + textOf(header))
    .replace(/<\/w:body>/, (tag) => textOf(footer) + tag)
}

/** For mammoth: bold lines as headings below those by style, the largest first; where most lines are bold, none is. */
function boldMap(paragraphs: Paragraph[]): string[] {
  const lines = paragraphs.filter(({ boldLine }) => boldLine !== undefined)
  const filled = paragraphs.filter(({ text }) => text !== '')
  const weights = new Map(lines.map(({ boldLine, weight }) => [boldLine!, weight]))
  if (2 * lines.length > filled.length) {
    return [...weights.keys()].filter((style) => style.startsWith(numberedStyle)).map(numberedMap)
  }
  const deepest = Math.max(0, ...paragraphs.map(({ heading = 0 }) => heading))
  const sorted = [...new Set(weights.values())].toSorted((a, b) => b - a)
  return [...weights].map(
    ([style, weight]) =>
      `p.${style} => h${Math.min(maxLevel, deepest + 1 + sorted.indexOf(weight))}:fresh`,
  )
}

const numberedMap = (style: string): string => `p.${style} => p.${numberedClass}:fresh`
