import type { BlockWriter } from './block-writer.ts'
import type { Attributes } from './xml.ts'

type Actions = Record<string, (writer: BlockWriter, attributes: Attributes) => void>

export const blocks = new Set(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form header hr html legend li main menu ol p pre section summary table ul'.split(
    ' ',
  ),
)
export const heading = /^h(?<level>[1-6])$/
export const numberedClass = 'numbered-paragraph'
export const tableTags = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td'])

export const isCell = (name: string): boolean => name === 'td'

export const isBlock = (name: string): boolean =>
  blocks.has(name) || tableTags.has(name) || heading.test(name)

const noteClass = /^(?:footnote|footnote-ref|footnote-reference|noteref)$/

/** Whether a link is the mark of a note, which styles alone may raise. */
export const isToNote = ({ class: classes = '', role, 'epub:type': type }: Attributes): boolean =>
  role === 'doc-noteref' ||
  type === 'noteref' ||
  classes.split(/\s+/).some((one) => noteClass.test(one))

const numberIn = (text = ''): number | undefined =>
  /^-?\d{1,9}$/.test(text) ? Number(text) : undefined

const listFormats: Record<string, string> = {
  a: 'lowerAlpha',
  A: 'upperAlpha',
  i: 'lowerRoman',
  I: 'upperRoman',
}

const endCell: Actions[string] = (writer, { colspan, rowspan }) =>
  writer.endCell(numberIn(colspan), numberIn(rowspan))

export const opening: Actions = {
  br: (writer) => writer.breakLine(),
  p: (writer, { class: classes }) => {
    if (classes === numberedClass) writer.beginNumbered()
  },
  sup: (writer) => writer.inline.raise(),
  // Others are controls of the page, such as the switch of a menu.
  input: (writer, { type, disabled, checked }) => {
    if (type !== 'checkbox' || disabled === undefined) return
    writer.text(checked === undefined ? ' [ ] ' : ' [x] ')
  },
  li: (writer, { value }) => writer.beginItem(numberIn(value)),
  ul: (writer) => writer.lists.begin(),
  ol: (writer, { start, type = '1' }) =>
    writer.lists.begin(numberIn(start) ?? 1, listFormats[type]),
  pre: (writer) => writer.beginCode(),
  table: (writer) => writer.beginTable(),
  tr: (writer) => writer.beginRow(),
  td: (writer) => writer.beginCell(),
}

export const closing: Actions = {
  li: (writer) => writer.endItem(),
  ul: (writer) => writer.lists.end(),
  ol: (writer) => writer.lists.end(),
  td: endCell,
  thead: (writer) => writer.endRowGroup(),
  tbody: (writer) => writer.endRowGroup(),
  tfoot: (writer) => writer.endRowGroup(),
  table: (writer) => writer.endTable(),
}
