/** `page` is 0 where no page begins. */
export type Block = { start: number; end: number; page: number }

/** A document that is not cut otherwise is cut at lines, for a browser lays out only the blocks it shows. */
const plainLength = 4_000

/** Cuts a text where its pages and fragments begin. */
export function blocksOf(text: string, fragmentStarts: number[], pageStarts: number[]): Block[] {
  const cuts = fragmentStarts.length > 0 ? fragmentStarts : plainCuts(text)
  const starts = [...new Set([0, ...cuts, ...pageStarts])]
    .filter((start) => start < text.length)
    .toSorted((a, b) => a - b)
  return starts.map((start, index) => ({
    start,
    end: starts[index + 1] ?? text.length,
    page: pageStarts.indexOf(start) + 1,
  }))
}

function plainCuts(text: string): number[] {
  const cuts: number[] = []
  for (let at = 0; at >= 0;) {
    const line = text.indexOf('\n', at + plainLength)
    at = line < 0 ? -1 : line + 1
    if (at > 0) cuts.push(at)
  }
  return cuts
}
