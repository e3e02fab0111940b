import { Parser } from 'htmlparser2'
import type { FileText } from './file-text.ts'
import { BlockWriter } from './block-writer.ts'
import { nestedTooDeep } from './refusals.ts'

/** The parser's time grows with the square of the depth. */
const maxDepth = 10_000

const skipped = new Set(
  'script style template noscript title iframe object svg nav select button'.split(' '),
)
const blocks = new Set(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form header hr html legend li main menu ol p pre section summary table ul'.split(
    ' ',
  ),
)
const heading = /^h(?<level>[1-6])$/

/** The text of a page: its headings, lists and tables as Markdown has them. */
export function readHtml(html: string): FileText {
  const writer = new BlockWriter()
  let ignored = 0
  let depth = 0
  const parser = new Parser({
    onopentag: (name, { alt }) => {
      depth += 1
      if (depth > maxDepth) throw nestedTooDeep()
      if (skipped.has(name)) ignored += 1
      if (ignored > 0) return
      const { level } = heading.exec(name)?.groups ?? {}
      if (level) writer.beginHeading(Number(level))
      else if (blocks.has(name)) writer.endBlock()
      opening[name]?.(writer)
      if (alt) writer.text(` ${alt} `)
    },
    ontext: (text) => {
      if (ignored === 0) writer.text(text)
    },
    onclosetag: (name) => {
      if (ignored === 0) {
        if (blocks.has(name) || heading.test(name)) writer.endBlock()
        closing[name]?.(writer)
      }
      if (skipped.has(name)) ignored -= 1
      depth -= 1
    },
  })
  parser.end(html)
  return { text: writer.end(), pages: null }
}

type Actions = Record<string, (writer: BlockWriter) => void>

const opening: Actions = {
  br: (writer) => writer.breakLine(),
  li: (writer) => writer.beginItem(),
  ul: (writer) => writer.nest(1),
  ol: (writer) => writer.nest(1),
  pre: (writer) => writer.beginCode(),
  table: (writer) => writer.beginTable(),
  tr: (writer) => writer.beginRow(),
  td: (writer) => writer.beginCell(),
  th: (writer) => writer.beginCell(),
}

const closing: Actions = {
  ul: (writer) => writer.nest(-1),
  ol: (writer) => writer.nest(-1),
  td: (writer) => writer.endCell(),
  th: (writer) => writer.endCell(),
  table: (writer) => writer.endTable(),
}
