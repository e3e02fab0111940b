import { chartText } from './drawings.ts'
import type { FileText } from './file-text.ts'
import { joinPages } from './pages.ts'
import { referenceIn, type Related, relationshipsOf, targetsOf } from './relationships.ts'
import { type Attributes, readNested, readXml } from './xml.ts'
import { type Entries, readEntries } from './zip.ts'
import { type Point, Shape } from './pptx-shape.ts'

const presentation = 'ppt/presentation.xml'
const wanted =
  /^ppt\/(?:presentation|(?:slides|slideLayouts|notesSlides|diagrams|charts)\/[^/]+)\.xml$|^ppt\/(?:slides\/|notesSlides\/)?_rels\/[^/]+\.rels$/
/** Text of a slide in parts of their own, in the order it is read in. */
const parts = ['diagramData', 'chart', 'notesSlide']

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

/** What stands twice, and what a program fills in: the number of a slide, today's date. */
const leftOut = new Set(['mc:Fallback', 'a:fld'])
const shapeTags = new Set(['p:sp', 'p:graphicFrame', 'p:pic', 'p:cxnSp'])

type Group = { place: Point | undefined; shapes: Shape[] }
type SlideBlock = Pick<Shape, 'isTitle' | 'placeholder' | 'place'> & { text: string }

/** The blocks of a slide or of another drawing, in the order in which they are in the file. */
function slideBlocks(xml: Uint8Array | undefined, related: Related): SlideBlock[] {
  const reader = new SlideReader(related)
  readNested(xml, reader)
  return reader.blocks().filter(({ text, place }) => text !== '' || place)
}

class SlideReader {
  readonly #related: Related
  readonly #blocks: SlideBlock[] = []
  #shape = new Shape()
  #isInShape = false
  /** Groups in a group are parts of it. */
  #group: Group | undefined
  #groups = 0
  #link = ''
  readonly #cells: Attributes[] = []

  constructor(related: Related) {
    this.#related = related
  }

  readonly isHidden = (name: string): boolean => leftOut.has(name)

  readonly onOpen = (name: string, attributes: Attributes): void => {
    if (name === 'p:grpSp' && this.#groups++ === 0) this.#group = { place: undefined, shapes: [] }
    if (shapeTags.has(name)) this.#beginShape(true)
    if (name === 'a:off' && this.#group && !this.#isInShape) {
      this.#group.place ??= placeIn(attributes)
    }
    if (name === 'a:hlinkClick') {
      this.#link = this.#related.get(attributes['r:id'] ?? '')?.target ?? ''
    }
    if (name === 'a:tc') this.#cells.push(attributes)
    this.#shape.open(name, attributes)
  }

  readonly onText = (text: string, parent: string): void => {
    if (parent === 'a:t' || parent === 'm:t') this.#shape.add(text)
  }

  readonly onClose = (name: string): void => {
    this.#shape.close(name, (name === 'a:tc' && this.#cells.pop()) || {}, this.#link)
    if (name === 'a:r') this.#link = ''
    if (shapeTags.has(name)) this.#endShape()
    if (name === 'p:grpSp' && --this.#groups === 0 && this.#group) {
      this.#blocks.push(blockOfGroup(this.#group))
      this.#group = undefined
    }
  }

  blocks(): SlideBlock[] {
    return [...this.#blocks, blockOf(this.#shape)]
  }

  #beginShape(isInShape: boolean): void {
    this.#shape = new Shape()
    this.#isInShape = isInShape
  }

  #endShape(): void {
    if (this.#group) this.#group.shapes.push(this.#shape)
    else this.#blocks.push(blockOf(this.#shape))
    this.#beginShape(false)
  }
}

const placeIn = ({ x, y }: Attributes): Point => ({ x: Number(x), y: Number(y) })

const blockOf = (shape: Shape): SlideBlock => {
  const { isTitle, placeholder, place } = shape
  return { text: shape.text(), isTitle, placeholder, place }
}

function blockOfGroup({ place, shapes }: Group): SlideBlock {
  const text = inReadingOrder(shapes.map(blockOf))
    .map((block) => block.text)
    .filter((part) => part !== '')
    .join('\n\n')
  return { text, isTitle: false, placeholder: '', place }
}

/** Blocks whose tops are nearer stand side by side; in units of the drawing, of which an inch has 914,400. */
const maxBeside = 150_000

/** Puts the title first, then the others from the top and from the left. Blocks without a place stay at the start. */
function inReadingOrder(blocks: SlideBlock[]): SlideBlock[] {
  const titles = blocks.filter(({ isTitle }) => isTitle)
  const rest = blocks.filter(({ isTitle }) => !isTitle)
  const sorted = rest.toSorted((a, b) => (a.place?.y ?? 0) - (b.place?.y ?? 0))
  const rows: SlideBlock[][] = []
  for (const block of sorted) {
    const top = rows.at(-1)?.[0]?.place?.y ?? 0
    if (rows.length > 0 && (block.place?.y ?? 0) - top < maxBeside) rows.at(-1)!.push(block)
    else rows.push([block])
  }
  const across = rows.map((row) => row.toSorted((a, b) => (a.place?.x ?? 0) - (b.place?.x ?? 0)))
  return [...titles, ...across.flat()]
}
