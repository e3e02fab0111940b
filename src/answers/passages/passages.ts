import type { TimeSlice } from '../../scheduling/time-slice.ts'
import type { Found } from '../../store/search/found.ts'
import { sentencesOf } from '../../text/sentences.ts'
import type { Span } from '../../text/splitting/kept-together.ts'
import type { Word } from '../../text/word.ts'
import { words } from '../../text/words.ts'
import { type Part, partsIn } from './parts.ts'

/** No answer quotes more; XQuAD's answers stand in nine of ten such passages. */
export const maxLength = 700
/** Windows of a longer part begin so far from each other at least. */
const minStep = 100

/** What can be quoted: a part, or of a longer one some whole sentences. */
export type Passage = Span & {
  /** The index of its part. */
  part: number
  words: readonly Word[]
  /** Those that it begins with. */
  opening: readonly Word[]
}

export type ReadPart = Part & { words: readonly Word[] }
export type ReadText = { name: readonly Word[]; parts: ReadPart[]; passages: Passage[] }

const known = new WeakMap<Found, ReadText>()

/** Lets others have their turn where a text is long. */
export async function readText(found: Found, slice: TimeSlice): Promise<ReadText> {
  const read = known.get(found) ?? (await toReadText(found, slice))
  known.set(found, read)
  return read
}

async function toReadText({ text, name }: Found, slice: TimeSlice): Promise<ReadText> {
  const parts: ReadPart[] = []
  const passages: Passage[] = []
  for (const [index, part] of partsIn(text).entries()) {
    const said = words(text.slice(part.start, part.end))
    parts.push({ ...part, words: said })
    await slice.pause()
    if (!quotable.has(part.kind)) continue
    for (const window of windowsOf(text, part)) {
      const piece = text.slice(window.start, window.end)
      const isWhole = window.start === part.start && window.end === part.end
      const opening = words(openingOf(piece))
      passages.push({ ...window, part: index, words: isWhole ? said : words(piece), opening })
      await slice.pause()
    }
  }
  return { name: words(name), parts, passages }
}

const quotable = new Set<Part['kind']>(['text', 'row', 'code', 'comment'])

function windowsOf(text: string, part: Part): Span[] {
  const { start, end, kind } = part
  if (end - start <= maxLength || kind === 'row') return [{ start, end }]
  const pieces =
    kind === 'code' ? linesOf(text.slice(start, end)) : sentencesOf(text.slice(start, end))
  const windows: Span[] = []
  for (const [index, first] of pieces.entries()) {
    const last = windows.at(-1)
    if (last && start + first.start < last.start + minStep) continue
    const to =
      pieces.findLast((one, at) => at >= index && one.end - first.start <= maxLength) ?? first
    windows.push({ start: start + first.start, end: start + to.end })
    if (to === pieces.at(-1)) break
  }
  return windows
}

const linesOf = (text: string): Span[] =>
  Array.from(text.matchAll(/\S[^\n]*/g), ({ 0: line, index }) => ({
    start: index,
    end: index + line.trimEnd().length,
  }))

/** The first six words, without the marks before them. */
const openingOf = (text: string): string => {
  const [opening = ''] =
    /^(?:[^\p{L}\p{N}]*[\p{L}\p{N}]\S*){1,6}/u.exec(text.slice(0, maxOpening)) ?? []
  return opening
}

/** A text without blanks has no words to count. */
const maxOpening = 60
