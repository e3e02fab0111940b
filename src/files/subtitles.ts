import type { FileText } from './file-text.ts'

const timing =
  /^(?:(?<hours>\d+):)?(?<minutes>\d\d):(?<seconds>\d\d)[.,]\d{3}\s+-->\s+(?<end>[\d:.,]+)/
const speaker = /<v(?:\.[^ \t>]*)?[ \t]+(?<name>[^>]+)>/g
const tag = /<\/?[^<>]*>|\{\\[^{}]*\}/g
/** In seconds; who pauses longer begins a new paragraph. */
const pause = 3

type Cue = { start: number; end: number; lines: string[] }

/** The spoken text without times, with speakers if the file names them. */
export function readSubtitles(text: string): FileText {
  let [spoken, end, last] = ['', 0, '']
  for (const cue of cuesIn(text.replace(/\r\n?/g, '\n'))) {
    // Captions that roll show a line again with the next one.
    const lines = cue.lines.filter((line, index) => line !== last || index > 0)
    last = cue.lines.at(-1) ?? last
    if (lines.length === 0) continue
    const gap = spoken === '' ? '' : cue.start - end > pause ? '\n\n' : '\n'
    spoken += gap + lines.join('\n')
    end = cue.end
  }
  return { text: spoken }
}

/** A cue is a block with a line of times; notes and styles have none. */
function cuesIn(text: string): Cue[] {
  return text.split(/\n{2,}/).flatMap((block) => {
    const lines = block.split('\n')
    const at = lines.findIndex((line) => timing.test(line))
    if (at < 0) return []
    const { start, end } = timesIn(lines[at]!)
    return [
      {
        start,
        end,
        lines: lines
          .slice(at + 1)
          .map(plain)
          .filter((line) => line !== ''),
      },
    ]
  })
}

function timesIn(line: string): Pick<Cue, 'start' | 'end'> {
  const { hours = '0', minutes, seconds, end = '' } = timing.exec(line)?.groups ?? {}
  const start = secondsOf(`${hours}:${minutes}:${seconds}`)
  return { start, end: secondsOf(end.replace(/[.,]\d*$/, '')) }
}

const secondsOf = (clock: string): number =>
  clock.split(':').reduce((sum, part) => 60 * sum + Number(part), 0)

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' }

const plain = (line: string): string =>
  line
    .replace(speaker, '$<name>: ')
    .replace(tag, '')
    .replace(/&(?<name>\w+);/g, (written, name: string) => entities[name] ?? written)
    .trim()
