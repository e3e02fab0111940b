import { BlockWriter } from './block-writer.ts'
import type { FileText } from './file-text.ts'
import { isLeftOut, maxSpaces } from './open-document.ts'
import { readNested } from './xml.ts'
import { readEntries } from './zip.ts'

/** The text of an ODT; its notes are a list at the end, as those of a DOCX. */
export function readOdt(bytes: Uint8Array): FileText {
  const writer = new BlockWriter()
  const notes = new BlockWriter()
  let [out, noted] = [writer, 0]
  const spans: Attributes[] = []
  const links: string[] = []
  readNested(readEntries(bytes, /^content\.xml$/).get('content.xml'), {
    isHidden: isLeftOut,
    onOpen: (name, attributes) => {
      if (name === 'text:note') {
        noted += 1
        out.text(`[${noted}]`)
        out = notes
        notes.lists.begin(noted)
        notes.beginItem()
      }
      if (name === 'table:table-cell') spans.push(attributes)
      if (name === 'text:a') {
        links.push(attributes['xlink:href'] ?? '')
        out.inline.beginLink()
      }
      opening[name]?.(out, attributes)
    },
    onText: (text, parent) => {
      if (isOfText.test(parent)) out.text(text)
    },
    onClose: (name) => {
      const attributes = name === 'table:table-cell' ? spans.pop() : undefined
      if (name === 'text:a') out.inline.endLink(links.pop()!)
      closing[name]?.(out, attributes ?? {})
      if (name === 'text:note') {
        notes.endItem()
        notes.lists.end()
        out = writer
      }
    },
  })
  const texts = [writer.end(), notes.end()].filter((text) => text !== '')
  return { text: texts.join('\n\n') }
}

type Attributes = Record<string, string>
type Actions = Record<string, (writer: BlockWriter, attributes: Attributes) => void>

const isOfText = /^text:/
const numberIn = (text: string | undefined): number => Number(text ?? 1)

const opening: Actions = {
  'text:h': (writer, attributes) => writer.beginHeading(numberIn(attributes['text:outline-level'])),
  'text:p': (writer) => writer.endBlock(),
  'text:list': (writer) => writer.lists.begin(),
  'text:list-item': (writer) => writer.beginItem(),
  'text:line-break': (writer) => writer.breakLine(),
  'text:tab': (writer) => writer.text('\t'),
  'text:s': (writer, attributes) =>
    writer.text(' '.repeat(Math.min(maxSpaces, numberIn(attributes['text:c'])))),
  'table:table': (writer) => writer.beginTable(),
  'table:table-row': (writer) => writer.beginRow(),
  'table:table-cell': (writer) => writer.beginCell(),
}

const closing: Actions = {
  'text:h': (writer) => writer.endBlock(),
  'text:p': (writer) => writer.endBlock(),
  'text:list': (writer) => writer.lists.end(),
  'text:list-item': (writer) => writer.endItem(),
  'table:table-cell': (writer, attributes) =>
    writer.endCell(
      numberIn(attributes['table:number-columns-spanned']),
      numberIn(attributes['table:number-rows-spanned']),
    ),
  'table:table': (writer) => writer.endTable(),
}
