import { wholeCodePoints } from '../text/span.ts'
import { invalidArgument } from './arguments.ts'

/** In UTF-16 code units. Assistants refuse longer answers of tools. */
const maxLength = 32_000
/** How much of a part may be left for the next, so that it ends with a line. */
const maxLeft = 2_000

type TextPart = { text: string; part: number; parts: number }

/** One part of a text, counted from 1. All of them joined are the text. @throws InvalidRequest */
export function partOf(text: string, wanted: unknown = 1): TextPart {
  if (!Number.isInteger(wanted)) throw invalidArgument('part', 'must be a whole number')
  const part = wanted as number
  const ends = endsOf(text)
  const parts = ends.length
  if (part < 1 || part > parts) throw invalidArgument('part', `must be 1 to ${parts}`)
  return { text: text.slice(ends[part - 2] ?? 0, ends[part - 1]), part, parts }
}

function endsOf(text: string): number[] {
  const ends: number[] = []
  for (let start = 0; text.length - start > maxLength; start = ends.at(-1)!) {
    ends.push(endAfter(text, start))
  }
  return [...ends, text.length]
}

function endAfter(text: string, start: number): number {
  const last = start + maxLength
  const line = text.lastIndexOf('\n', last - 1) + 1
  if (line > last - maxLeft) return line
  return wholeCodePoints(text, last)
}

/** The beginning of a text, on one line, in at most `max` characters. */
export function shortened(text: string, max: number): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length <= max ? line : `${line.slice(0, wholeCodePoints(line, max - 1))}…`
}
