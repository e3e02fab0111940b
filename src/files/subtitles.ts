import { Parser } from 'htmlparser2'
import type { FileText } from './file-text.ts'
import { cuesIn } from './subtitle-cues.ts'

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
