import type { TextSpan } from '../../../client/src/index.ts'

/** A text with its spans marked; they are in order, and do not overlap. */
export function Highlighted({ text, spans }: { text: string; spans: TextSpan[] }) {
  return (
    <p class="said" dir="auto">
      {spans.map(({ start, end }, index) => (
        <>
          {text.slice(spans[index - 1]?.end ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </>
      ))}
      {text.slice(spans.at(-1)?.end ?? 0)}
    </p>
  )
}
