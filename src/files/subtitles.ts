import { Parser } from 'htmlparser2'
import type { FileText } from './file-text.ts'

const speaker = /<v(?:\.[^ \t>]*)?[ \t]+(?<name>[^>]+)>/g
/** A sign of less than may be spoken, before a number or a blank. */
const tag = /<\/?[a-z][^<>]*>|<[\d:]+\.\d{3}>|\{\\[^{}]*\}/gi
const entity = /&#?\w+;/g
const directions = /[\u200e\u200f]/g
/** In seconds; who pauses longer begins a new paragraph. */
const pause = 3

/** The spoken text without times, with speakers if the file names them. */
export function readSubtitles(text: string): FileText {
  let [spoken, end, last] = ['', 0, '']
  for (const cue of cuesIn(text)) {
    const shown = cue.lines.map(plain).filter((line) => line !== '')
    // Captions that roll show a line again with the next one.
    const lines = shown.filter((line, index) => line !== last || index > 0)
    last = shown.at(-1) ?? last
    if (lines.length === 0) continue
    const gap = spoken === '' ? '' : cue.start - end > pause ? '\n\n' : '\n'
    spoken += gap + lines.join('\n')
    end = cue.end
  }
  return { text: spoken }
}

const plain = (line: string): string =>
  line
    .replace(speaker, '$<name>: ')
    .replace(tag, '')
    .replace(entity, characterOf)
    .replace(directions, '')
    .replaceAll('\u00a0', ' ')
    .trim()

/** An unknown entity stays as it is written. */
function characterOf(written: string): string {
  let text = ''
  new Parser({ ontext: (piece) => (text += piece) }).end(written)
  return text
}

const timing =
  /^(?:(?<hours>\d+):)?(?<minutes>\d\d):(?<seconds>\d\d)[.,]\d{3}\s+-->\s+(?<end>[\d:.,]+)/
const number = /^\s*\d+\s*$/

type Cue = { start: number; end: number; lines: string[] }

function cuesIn(text: string): Cue[] {
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
