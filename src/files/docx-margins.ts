import { isPageNumber } from './pages.ts'
import { readXml } from './xml.ts'
import type { Entries } from './zip.ts'

const part = /^word\/(?<kind>header|footer)\d*\.xml$/
/** Fields that a program fills in anew on each page, or each time. */
const filledIn = /\b(?:PAGE|NUMPAGES|SECTIONPAGES|SECTION|DATE|TIME|FILENAME|SAVEDATE|PRINTDATE)\b/

type Margins = Record<'header' | 'footer', string[]>

/** The texts of a document's headers and footers, once each, without numbers of pages. */
export function marginsOf(entries: Entries): Margins {
  const margins: Margins = { header: [], footer: [] }
  const seen = new Set<string>()
  for (const [name, xml] of entries) {
    const kind = part.exec(name)?.groups?.['kind'] as keyof Margins | undefined
    for (const text of kind ? linesIn(xml) : []) {
      if (kind && !seen.has(text) && !isPageNumber(text)) margins[kind].push(text)
      seen.add(text)
    }
  }
  return margins
}

function linesIn(xml: Uint8Array): string[] {
  const lines: string[] = []
  let [tag, text, instruction, fallbacks] = ['', '', '', 0]
  const fields: { isResult: boolean; isLeftOut: boolean }[] = []
  readXml(xml, {
    onopentag: (name, attributes) => {
      tag = name
      if (name === 'mc:Fallback') fallbacks += 1
      if (name === 'w:tab' || name === 'w:br' || name === 'w:tc') text += ' '
      if (name === 'w:fldSimple') {
        fields.push({ isResult: true, isLeftOut: filledIn.test(attributes['w:instr'] ?? '') })
      }
      if (name !== 'w:fldChar') return
      const type = attributes['w:fldCharType']
      const field = fields.at(-1)
      if (type === 'begin') fields.push({ isResult: false, isLeftOut: false })
      else if (type === 'end') fields.pop()
      else if (field) [field.isResult, field.isLeftOut] = [true, filledIn.test(instruction)]
      instruction = ''
    },
    ontext: (piece) => {
      if (tag === 'w:instrText') instruction += piece
      if (tag === 'w:t' && fallbacks === 0 && !fields.some((field) => field.isLeftOut))
        text += piece
    },
    onclosetag: (name) => {
      tag = ''
      if (name === 'mc:Fallback') fallbacks -= 1
      if (name === 'w:fldSimple') fields.pop()
      if (name !== 'w:p') return
      const line = text.replace(/\s+/g, ' ').trim()
      if (line !== '') lines.push(line)
      text = ''
    },
  })
  return lines
}
