import { stripVTControlCharacters } from 'node:util'
import type { FileText } from './file-text.ts'
import { readHtml } from './html.ts'
import { codeBlock } from './markdown.ts'

type Text = string | string[]
type Output = {
  output_type?: string
  text?: Text
  data?: Record<string, unknown>
  ename?: string
  evalue?: string
}
type Cell = { cell_type?: string; source?: Text; input?: Text; outputs?: Output[] }
type Notebook = { cells?: Cell[]; worksheets?: { cells?: Cell[] }[] }

/** The texts of a notebook and its code, with what that printed; pictures are left out. Other JSON stays as it is. */
export function readNotebook(json: string): FileText {
  const cells = cellsIn(json)
  if (!cells) return { text: json }
  const texts = cells.flatMap(textsOf).filter((text) => text.trim() !== '')
  return { text: texts.join('\n\n') }
}

/** Undefined for what has none, such as lines of notebooks or the schema of one. */
function cellsIn(json: string): Cell[] | undefined {
  try {
    const { cells, worksheets }: Notebook = JSON.parse(json)
    // Those of before 2015 have their cells in sheets.
    const all = cells ?? worksheets?.flatMap((sheet) => sheet.cells ?? [])
    return Array.isArray(all) ? all : undefined
  } catch {
    return undefined
  }
}

function textsOf({ cell_type, source, input, outputs = [] }: Cell): string[] {
  const text = toString(source ?? input).trim()
  if (cell_type !== 'code') return [text]
  return [...(text === '' ? [] : [codeBlock(text)]), ...outputs.map(textOfOutput)]
}

function textOfOutput({ output_type, text, data = {}, ename = '', evalue = '' }: Output): string {
  if (output_type === 'error' || output_type === 'pyerr') return printed(`${ename}: ${evalue}`)
  const { 'text/html': html, 'text/markdown': markdown, 'text/plain': plain } = data
  if (isText(html)) return readHtml(toString(html))
  if (isText(markdown)) return toString(markdown)
  const written = printed(toString(isText(plain) ? plain : text))
  const hasPicture = Object.keys(data).some((type) => type.startsWith('image/'))
  return isOfObject.test(written) || (hasPicture && standIn.test(written)) ? '' : written
}

const printed = (text: string): string => {
  const plain = stripVTControlCharacters(text).trim()
  return plain === '' ? '' : codeBlock(plain)
}

/** What stands in for a picture, as `<Figure size 640x480 with 1 Axes>`, or for an object. */
const standIn = /^```\n<[^\n]*>\n```$/
const isOfObject = /^```\n<[\w.]+ (?:at 0x|size |object )[^\n]*>\n```$/

const isText = (value: unknown): value is Text => typeof value === 'string' || Array.isArray(value)

const toString = (text: Text | undefined): string => [text ?? ''].flat().join('')
