import { BlockWriter } from './block-writer.ts'
import type { FileText } from './file-text.ts'
import { joinPages } from './pages.ts'
import { referenceIn, relationshipsOf } from './relationships.ts'
import { readXml } from './xml.ts'
import { readEntries } from './zip.ts'

const presentation = 'ppt/presentation.xml'
const wanted =
  /^ppt\/(?:presentation|(?:slides|notesSlides|diagrams|charts)\/[^/]+)\.xml$|^ppt\/(?:slides\/)?_rels\/[^/]+\.rels$/
/** Text of a slide in parts of their own, in the order it is read in. */
const parts = ['diagramData', 'chart', 'notesSlide']

type Entries = ReadonlyMap<string, Uint8Array>

/** The text of slides in the order they are shown, a page each; their titles are headings, their notes follow. */
export function readPptx(bytes: Uint8Array): FileText {
  const entries = readEntries(bytes, wanted)
  return joinPages(slidesIn(entries).map((slide) => textOfSlide(entries, slide)))
}

function slidesIn(entries: Entries): string[] {
  const targets = relationshipsOf(entries, presentation)
  const slides: string[] = []
  readXml(entries.get(presentation), {
    onopentag: (name, attributes) => {
      const target = targets.get(referenceIn(attributes))?.target
      if (name === 'p:sldId' && target) slides.push(target)
    },
  })
  return slides
}

function textOfSlide(entries: Entries, slide: string): string {
  const writer = new BlockWriter()
  readDrawing(entries.get(slide), writer)
  const related = [...relationshipsOf(entries, slide).values()]
  for (const part of parts) {
    for (const { target } of related.filter(({ type }) => type === part)) {
      const xml = entries.get(target)
      if (xml) readDrawing(xml, writer)
    }
  }
  return writer.end()
}

const titles = new Set(['title', 'ctrTitle'])
const margins = new Set(['sldNum', 'ftr', 'hdr'])
/** What stands twice, and what a program fills in: the number of a slide, today's date. */
const leftOut = new Set(['mc:Fallback', 'a:fld'])

function readDrawing(xml: Uint8Array | undefined, writer: BlockWriter): void {
  let placeholder = ''
  let isText = false
  let isLeftOut = false
  readXml(xml, {
    onopentag: (name, { type = '' }) => {
      if (name === 'p:sp') placeholder = ''
      if (name === 'p:ph') placeholder = type
      if (leftOut.has(name)) isLeftOut = true
      if (name === 'a:p' && titles.has(placeholder)) writer.beginHeading(1)
      isText = (name === 'a:t' || name === 'm:t') && !isLeftOut && !margins.has(placeholder)
      if (name === 'a:br') writer.breakLine()
      if (name === 'a:tbl') writer.beginTable()
      if (name === 'a:tr') writer.beginRow()
      if (name === 'a:tc') writer.beginCell()
    },
    ontext: (text) => {
      if (isText) writer.text(text)
    },
    onclosetag: (name) => {
      isText = false
      if (leftOut.has(name)) isLeftOut = false
      if (name === 'a:p') writer.endBlock()
      if (name === 'a:tc') writer.endCell()
      if (name === 'a:tbl') writer.endTable()
    },
  })
}
