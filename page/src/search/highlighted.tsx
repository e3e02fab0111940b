import type { Fragment } from '../../../client/src/index.ts'
import { excerptOf } from './excerpt.ts'

/** What a fragment says around the words sought, which are marked; their spans are in order, and do not overlap. */
export function Highlighted({ fragment }: { fragment: Fragment }) {
  const { text, highlights = [] } = fragment
  const { start, end } = excerptOf(fragment)
  const spans = highlights.filter((one) => one.start >= start && one.end <= end)
  return (
    <p class="said" dir="auto">
      {start > 0 && '… '}
      {spans.map((one, index) => (
        <>
          {text.slice(spans[index - 1]?.end ?? start, one.start)}
          <mark>{text.slice(one.start, one.end)}</mark>
        </>
      ))}
      {text.slice(spans.at(-1)?.end ?? start, end)}
      {end < text.length && ' …'}
    </p>
  )
}
