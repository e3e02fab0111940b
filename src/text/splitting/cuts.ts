import { skipBlanks } from '../blanks.ts'
import { type Span, wholeCodePoints } from '../span.ts'
import type { SourceLine } from './lines.ts'
import { sentenceStarts } from './sentences.ts'

/** The least length of a fragment, as a share of the most. */
const minShare = { section: 1 / 4, other: 1 / 2 }
/** Whole sentences at the end of a fragment, up to this share, also open the next one. */
const overlapShare = 1 / 10
const lookahead = 100

/** A fragment ends at `at`. The next one begins at `next`, which is earlier if they overlap. */
export type Cut = { at: number; next: number }

type Candidate = { at: number; rank: number }

const rankOf = { wrap: 0, sentence: 1, line: 2, block: 3, section: 4 }
const lowestLevel = 6

const words = new Intl.Segmenter('en', { granularity: 'word' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Chooses where a fragment ends: the highest heading that fits, else the last end of a block, sentence, line or word.
 * `lines` start at `start` and reach as far as two fragments. Blanks at the end come on top of `maxLength`. It ends
 * behind `covered`, the end of the fragment before.
 */
export function cutOf(
  text: string,
  lines: SourceLine[],
  start: number,
  covered: number,
  maxLength: number,
): Cut {
  const content = skipBlanks(text, start)
  const window = { text, lines, content, maxLength, limit: content + maxLength }
  const kept = keptTogether(lines, start, maxLength)
  const blocks = kept.filter(({ kind }) => kind !== 'heading')
  const best = [kept, blocks, []]
    .values()
    .map((spans) => bestCandidate(window, covered, spans))
    .find((candidate) => candidate !== undefined)
  const { at, rank } = best ?? { at: wholeCodePoints(text, window.limit), rank: rankOf.wrap }
  return { at, next: rank >= rankOf.section ? at : overlapStart(window, at, kept) }
}

type Window = {
  text: string
  lines: SourceLine[]
  content: number
  maxLength: number
  limit: number
}

function bestCandidate(window: Window, covered: number, kept: Span[]): Candidate | undefined {
  const { content, maxLength } = window
  const isLong = ({ at, rank }: Candidate) =>
    at >= content + maxLength * (rank >= rankOf.section ? minShare.section : minShare.other)
  const lines = lineStarts(window)
  const sources = [
    () => lines.filter(({ rank }) => rank >= rankOf.block).filter(isLong),
    () =>
      [...lines.filter(({ rank }) => rank === rankOf.line), ...sentences(window)].filter(isLong),
    () => lines.filter(isLong),
    () => boundaries(words, window).filter(isLong),
    () => lines,
    () => boundaries(graphemes, window),
  ]
  for (const candidates of sources) {
    const allowed = outside(kept, candidates()).filter(({ at }) => at > Math.max(content, covered))
    if (allowed.length > 0) return allowed.reduce((a, b) => (b.rank >= a.rank ? b : a))
  }
  return undefined
}

function lineStarts({ lines, content, limit }: Window): Candidate[] {
  const candidates: Candidate[] = []
  lines.forEach(({ start, kind }, index) => {
    const before = lines[index - 1]
    if (!before || kind === 'blank' || start <= content) return
    const contentEnd = before.kind === 'blank' ? before.start : start
    if (contentEnd <= limit) candidates.push({ at: start, rank: rankOfLine(lines[index]!, before) })
  })
  return candidates
}

function rankOfLine({ kind, heading }: SourceLine, before: SourceLine): number {
  if (heading) return rankOf.section + lowestLevel - heading.level
  if (kind === 'code') return rankOf.line
  if (kind === 'heading') return rankOf.wrap
  if (before.kind === 'blank' || before.kind === 'code' || kind === 'fence') return rankOf.block
  if (isRow(kind) !== isRow(before.kind)) return rankOf.block
  return isRow(kind) ? rankOf.line : rankOf.wrap
}

function sentences({ text, lines, content, limit }: Window): Candidate[] {
  const inWindow = linesCutTo(lines, content, limit + lookahead)
  return sentenceStarts(text, inWindow)
    .filter(({ at }) => at <= limit)
    .map(({ at, opensLine }) => ({ at, rank: opensLine ? rankOf.line : rankOf.sentence }))
}

function boundaries(segmenter: Intl.Segmenter, { text, content, limit }: Window): Candidate[] {
  const window = text.slice(content, limit + lookahead)
  return Array.from(segmenter.segment(window), ({ index }) => ({
    at: content + index,
    rank: rankOf.wrap,
  })).filter(({ at }) => at <= limit)
}

const isCode = ({ kind }: SourceLine): boolean => kind === 'code' || isRow(kind) || kind === 'fence'

const isRow = (kind: SourceLine['kind']): boolean => kind === 'row' || kind === 'record'

/** The first whole sentence that fits the overlap; code and rows are not repeated. */
function overlapStart(
  { text, lines, content, maxLength }: Window,
  cut: number,
  kept: Span[],
): number {
  const maxOverlap = maxLength * overlapShare
  const whole = kept.find(({ start }) => start === cut)
  const room = whole ? maxLength - (whole.end - whole.start) : maxOverlap
  const before = lines.filter(({ start }) => start < cut)
  const prose = before.slice(before.findLastIndex(isCode) + 1)
  const section = prose.findLast(({ heading }) => heading)?.start ?? 0
  const earliest = Math.max(content + 1, section, cut - Math.min(room, maxOverlap))
  const tail = linesCutTo(prose, Math.max(content, cut - 2 * maxOverlap), cut)
  const starts = sentenceStarts(text, tail).filter(({ at }) => at >= earliest && at < cut)
  return outside(kept, starts)[0]?.at ?? cut
}

const linesCutTo = (lines: SourceLine[], from: number, to: number): SourceLine[] =>
  lines
    .filter(({ start, end }) => end > from && start < to)
    .map(({ kind, start, end }) => ({ kind, start: Math.max(start, from), end: Math.min(end, to) }))

function outside<Place extends { at: number }>(kept: Span[], places: Place[]): Place[] {
  let next = 0
  return places.filter(({ at }) => {
    while (next < kept.length && kept[next]!.end <= at) next++
    return at <= (kept[next]?.start ?? Infinity)
  })
}

type Kept = Span & { kind: SourceLine['kind'] }

const keptKinds = new Set<SourceLine['kind']>(['heading', 'fence', 'row', 'record'])

function keptTogether(lines: SourceLine[], from: number, maxLength: number): Kept[] {
  const spans: Kept[] = []
  for (let index = 0; index < lines.length;) {
    const next = runEnd(lines, index)
    const { start, kind } = lines[index]!
    const body = lines[next]
    // A cut right before the body would part it from its heading.
    const end = kind === 'heading' && body ? body.start + 1 : lastVisibleEnd(lines, next)
    if (keptKinds.has(kind) && start >= from && end - start <= maxLength)
      spans.push({ start, end, kind })
    index = next
  }
  return spans
}

function runEnd(lines: SourceLine[], first: number): number {
  const { kind } = lines[first]!
  const more = kind === 'fence' ? 'code' : kind
  if (more !== 'code' && more !== 'heading') return first + 1
  let next = first + 1
  while (lines[next]?.kind === more || lines[next]?.kind === 'blank') next++
  return next
}

function lastVisibleEnd(lines: SourceLine[], next: number): number {
  const last = lines[next - 1]!
  return last.kind === 'blank' ? last.start : last.end
}
