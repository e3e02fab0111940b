import { chartText } from './drawings.ts'
import type { FileText } from './file-text.ts'
import { joinPages } from './pages.ts'
import { referenceIn, type Relationship, relationshipsOf } from './relationships.ts'
import { readXml } from './xml.ts'
import { readEntries } from './zip.ts'
import { type Point, Shape } from './pptx-shape.ts'

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

/** What stands twice, and what a program fills in: the number of a slide, today's date. */
const leftOut = new Set(['mc:Fallback', 'a:fld'])
const shapeTags = new Set(['p:sp', 'p:graphicFrame', 'p:pic', 'p:cxnSp'])

type Group = { place: Point | undefined; shapes: Shape[] }
type SlideBlock = {
  text: string
  isTitle: boolean
  placeholder: string
  place: Point | undefined
}

/** The blocks of a slide or of another drawing, in the order in which they are in the file. */
function slideBlocks(xml: Uint8Array | undefined, related: Related): SlideBlock[] {
  const blocks: SlideBlock[] = []
  let [shape, isShape] = [new Shape(), false]
  let group: Group | undefined
  let [groups, leftOutDepth, tag, link] = [0, 0, '', '']
  const cells: Record<string, string>[] = []
  const endShape = () => {
    if (group) group.shapes.push(shape)
    else blocks.push(blockOf(shape))
    ;[shape, isShape] = [new Shape(), false]
  }
  readXml(xml, {
    onopentag: (name, attributes) => {
      tag = name
      if (leftOut.has(name)) leftOutDepth += 1
      if (leftOutDepth > 0) return
      if (name === 'p:grpSp' && groups++ === 0) group = { place: undefined, shapes: [] }
      if (shapeTags.has(name)) [shape, isShape] = [new Shape(), true]
      if (name === 'a:off' && group && !isShape) group.place ??= placeIn(attributes)
      if (name === 'a:hlinkClick') link = related.get(attributes['r:id'] ?? '')?.target ?? ''
      if (name === 'a:tc') cells.push(attributes)
      shape.open(name, attributes)
    },
    ontext: (text) => {
      if (leftOutDepth === 0 && (tag === 'a:t' || tag === 'm:t')) shape.add(text)
    },
    onclosetag: (name) => {
      tag = ''
      if (leftOutDepth === 0) {
        shape.close(name, (name === 'a:tc' && cells.pop()) || {}, link)
        if (name === 'a:r') link = ''
        if (shapeTags.has(name)) endShape()
        if (name === 'p:grpSp' && --groups === 0 && group) {
          blocks.push(blockOfGroup(group))
          group = undefined
        }
      }
      if (leftOut.has(name)) leftOutDepth -= 1
    },
  })
  return [...blocks, blockOf(shape)].filter(({ text, place }) => text !== '' || place)
}

const placeIn = ({ x, y }: Record<string, string>): Point => ({ x: Number(x), y: Number(y) })

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
