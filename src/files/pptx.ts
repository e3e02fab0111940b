import { chartText } from './chart-text.ts'
import type { FileText } from './file-text.ts'
import { joinPages } from './pages.ts'
import { type SlideBlock, slideBlocks, inReadingOrder } from './pptx-slide.ts'
import { referenceIn, type Relationship, relationshipsOf } from './relationships.ts'
import { readXml } from './xml.ts'
import { readEntries } from './zip.ts'

const presentation = 'ppt/presentation.xml'
const wanted =
  /^ppt\/(?:presentation|(?:slides|slideLayouts|notesSlides|diagrams|charts)\/[^/]+)\.xml$|^ppt\/(?:slides\/|notesSlides\/)?_rels\/[^/]+\.rels$/
/** Text of a slide in parts of their own, in the order it is read in. */
const parts = ['diagramData', 'chart', 'notesSlide']

type Entries = ReadonlyMap<string, Uint8Array>
type Related = ReadonlyMap<string, Relationship>

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
  const related = relationshipsOf(entries, slide)
  const blocks = slideBlocks(entries.get(slide), related)
  const placed = withPlaces(blocks, layoutOf(entries, related))
  const others = parts.flatMap((part) =>
    targetsOf(related, part).flatMap((target) => {
      const xml = entries.get(target)
      if (!xml) return []
      if (part === 'chart') return [chartText(xml)]
      return slideBlocks(xml, relationshipsOf(entries, target)).map(({ text }) => text)
    }),
  )
  const texts = [...inReadingOrder(placed).map(({ text }) => text), ...others]
  return texts.filter((text) => text !== '').join('\n\n')
}

const targetsOf = (related: Related, type: string): string[] =>
  [...related.values()].filter((one) => one.type === type).map(({ target }) => target)

function layoutOf(entries: Entries, related: Related): SlideBlock[] {
  const [layout] = targetsOf(related, 'slideLayout')
  const xml = layout ? entries.get(layout) : undefined
  return xml ? slideBlocks(xml, new Map()) : []
}

const withPlaces = (blocks: SlideBlock[], layout: SlideBlock[]): SlideBlock[] =>
  blocks.map((block) => {
    const same = layout.find(({ placeholder }) => placeholder === block.placeholder)
    return block.placeholder === '' || block.place ? block : { ...block, place: same?.place }
  })
