import { randomBytes } from 'node:crypto'
import type { Source } from './sources.ts'

/** Texts between fences that nobody can guess: `mark` is new for each request. */
export type FencedContext = { mark: string; text: string }

/** The sources, numbered from 1, as data that a model is to read and not to obey. */
export function fenceContext(sources: Source[]): FencedContext {
  const mark = randomBytes(8).toString('hex')
  const fragments = sources.map(({ found, head }, index) => {
    const name = visible(found.name).replace(/\s+/g, ' ')
    const text = head ? `${head.text}\n${found.text}` : found.text
    return `[${index + 1}]${name && ` ${name}`}\n${visible(text)}`
  })
  const joined = fragments.join('\n\n')
  const inside = joined.replaceAll(mark, removed).replaceAll(lookAlike, removed)
  return { mark, text: `${edge('begin', mark)}\n${inside}\n${edge('end', mark)}` }
}

const edge = (which: 'begin' | 'end', mark: string): string =>
  `--- ${which} of fragments ${mark} ---`

/** Neither a blank, a dash nor a letter, so that its neighbours make no new look-alike. */
const removed = '…'

/** Such a line in a fragment would seem to end all fragments. Other dashes look the same. */
const lookAlike = /[\p{Dash}\u2500-\u2503\u30fc]{3}\s*(?:begin|end)\s+of\s+fragments\b[^\n]*/giu

/** Invisible characters that a model reads: zero-width, direction and tag characters, and most controls. */
const invisible =
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Noncharacter_Code_Point}]|(?![\t\n\r])\p{Cc}/gu

const visible = (text: string): string => text.replace(invisible, '')
