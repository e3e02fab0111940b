import type { Span } from '../span.ts'
import type { SourceLine } from './lines.ts'

type Kept = Span & { kind: SourceLine['kind'] }

const keptKinds = new Set<SourceLine['kind']>(['heading', 'fence', 'row', 'record'])

/** Fences, rows, and headings with the start of their body, in order. */
export function keptTogether(lines: SourceLine[], from: number, maxLength: number): Kept[] {
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
