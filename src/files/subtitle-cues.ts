const timing =
  /^(?:(?<hours>\d+):)?(?<minutes>\d\d):(?<seconds>\d\d)[.,]\d{3}\s+-->\s+(?<end>[\d:.,]+)/
const number = /^\s*\d+\s*$/

/** Its lines as they are written, and its times in seconds. */
export type Cue = { start: number; end: number; lines: string[] }

export function cuesIn(text: string): Cue[] {
  // Some programs write the carriage return of a line twice.
  const withLineFeeds = text.replace(/\r+\n?/g, '\n')
  const blocks = text.startsWith('WEBVTT') ? blocksOfVtt : blocksOfSrt
  return blocks(withLineFeeds).map(cueOf)
}

/** A block without a line of times is a note or a style. */
const blocksOfVtt = (text: string): string[][] =>
  text.split(/\n{2,}/).flatMap((block) => {
    const lines = block.split('\n')
    const at = lines.findIndex((line) => timing.test(line))
    return at < 0 ? [] : [lines.slice(at)]
  })

/** A cue ends where the next one begins, at its number or its times. Blank lines may be in it. */
function blocksOfSrt(text: string): string[][] {
  const blocks: string[][] = []
  for (const line of text.split('\n')) {
    const last = blocks.at(-1)
    if (!timing.test(line)) last?.push(line)
    else {
      if (last && number.test(last.at(-1)!)) last.pop()
      blocks.push([line])
    }
  }
  return blocks
}

function cueOf([times = '', ...lines]: string[]): Cue {
  const { hours = '0', minutes, seconds, end = '' } = timing.exec(times)?.groups ?? {}
  const start = secondsOf(`${hours}:${minutes}:${seconds}`)
  return { start, end: secondsOf(end.replace(/[.,]\d*$/, '')), lines }
}

const secondsOf = (clock: string): number =>
  clock.split(':').reduce((sum, part) => 60 * sum + Number(part), 0)
