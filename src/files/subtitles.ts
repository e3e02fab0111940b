import type { FileText } from './file-text.ts'
import { cuesIn } from './subtitle-cues.ts'

const speaker = /<v(?:\.[^ \t>]*)?[ \t]+(?<name>[^>]+)>/g
const tag = /<\/?[^<>]*>|\{\\[^{}]*\}/g
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

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' }

const plain = (line: string): string =>
  line
    .replace(speaker, '$<name>: ')
    .replace(tag, '')
    .replace(/&(?<name>\w+);/g, (written, name: string) => entities[name] ?? written)
    .trim()
