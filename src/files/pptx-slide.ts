import { type Point, Shape } from './pptx-shape.ts'
import type { Relationship } from './relationships.ts'
import { readXml } from './xml.ts'

/** What stands twice, and what a program fills in: the number of a slide, today's date. */
const leftOut = new Set(['mc:Fallback', 'a:fld'])
const shapeTags = new Set(['p:sp', 'p:graphicFrame', 'p:pic', 'p:cxnSp'])

type Related = ReadonlyMap<string, Relationship>
type Group = { place: Point | undefined; shapes: Shape[] }
export type SlideBlock = {
  text: string
  isTitle: boolean
  placeholder: string
  place: Point | undefined
}

/** The blocks of a slide or of another drawing, in the order in which they are in the file. */
export function slideBlocks(xml: Uint8Array | undefined, related: Related): SlideBlock[] {
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
export function inReadingOrder(blocks: SlideBlock[]): SlideBlock[] {
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
