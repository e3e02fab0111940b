import { BlockWriter } from './block-writer.ts'
import type { FileText } from './file-text.ts'
import { joinPages } from './pages.ts'
import { readXml } from './xml.ts'
import { readEntries } from './zip.ts'

const slide = /^ppt\/slides\/slide(?<number>\d+)\.xml$/
const numberOf = (name: string): number => Number(slide.exec(name)?.groups?.['number'])

/** The text of slides, a page each; their titles are headings. */
export function readPptx(bytes: Uint8Array): FileText {
  const slides = [...readEntries(bytes, slide)].toSorted(([a], [b]) => numberOf(a) - numberOf(b))
  return joinPages(slides.map(([, xml]) => textOfSlide(xml)))
}

function textOfSlide(xml: Uint8Array): string {
  const writer = new BlockWriter()
  let isTitle = false
  let isText = false
  readXml(xml, {
    onopentag: (name, { type }) => {
      if (name === 'p:sp') isTitle = false
      if (name === 'p:ph') isTitle = type === 'title' || type === 'ctrTitle'
      if (name === 'a:p' && isTitle) writer.beginHeading(1)
      isText = name === 'a:t'
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
      if (name === 'a:p') writer.endBlock()
      if (name === 'a:tc') writer.endCell()
      if (name === 'a:tbl') writer.endTable()
    },
  })
  return writer.end()
}
