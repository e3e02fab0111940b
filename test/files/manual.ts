import { docxOf, type Paragraph } from '../support/documents/packages.ts'
import { pdfOf, type PdfLine } from '../support/documents/pdf.ts'
import { Random } from '../support/random.ts'

/** A manual of a hundred pages, each a section with a heading and one fact that a question asks for. */

type Section = { chapter: string | undefined; title: string; sentences: string[] }
export type Question = { query: string; fact: string; page: number }

const machines =
  'pump boiler conveyor compressor mixer crane furnace centrifuge press generator'.split(' ')

type Topic = {
  title: string
  fact: (machine: string, n: number) => string
  query: (machine: string) => string
}

const topics: Topic[] = [
  {
    title: 'Cleaning',
    fact: (machine, n) => `The ${machine} is washed every ${n} days with soapy water.`,
    query: (machine) => `How often do I have to wash the ${machine}?`,
  },
  {
    title: 'Starting',
    fact: (machine, n) => `Before the start, the ${machine} is warmed up for ${n} minutes.`,
    query: (machine) => `How long does the ${machine} have to warm up before it starts?`,
  },
  {
    title: 'Stopping',
    fact: (machine, n) =>
      `After the red button was pressed, the ${machine} runs down for ${n} seconds.`,
    query: (machine) => `What happens after the red button of the ${machine} was pressed?`,
  },
  {
    title: 'Lubrication',
    fact: (machine, n) => `The bearings of the ${machine} take ${n} grams of lithium grease.`,
    query: (machine) => `How much grease do the bearings of the ${machine} take?`,
  },
  {
    title: 'Alarms',
    fact: (machine, n) => `A blinking yellow lamp on the ${machine} stands for alarm E-${100 + n}.`,
    query: (machine) => `What does a blinking yellow lamp on the ${machine} mean?`,
  },
  {
    title: 'Spare parts',
    fact: (machine, n) =>
      `Seals of the ${machine} are ordered as a set under the number SP-${2_000 + n}.`,
    query: (machine) => `Under which number do I order seals for the ${machine}?`,
  },
  {
    title: 'Storage',
    fact: (machine, n) => `Unused, the ${machine} is stored below ${n} degrees in a dry hall.`,
    query: (machine) => `At what temperature is an unused ${machine} stored?`,
  },
  {
    title: 'Transport',
    fact: (machine, n) => `For transport by truck, the ${machine} is fastened with ${n} belts.`,
    query: (machine) => `With how many belts is the ${machine} fastened on a truck?`,
  },
  {
    title: 'Adjustment',
    fact: (machine, n) => `The gap of the ${machine} is set to ${n} tenths of a millimetre.`,
    query: (machine) => `How wide is the gap of the ${machine} to be set?`,
  },
  {
    title: 'Inspection',
    fact: (machine, n) => `An expert inspects the ${machine} after ${n}00 hours of work.`,
    query: (machine) => `After how many hours does an expert inspect the ${machine}?`,
  },
]

const others = [
  'Wear gloves and safety glasses while you work on it.',
  'Nobody else may stand in the yellow zone meanwhile.',
  'Write the date and your name into the log book.',
  'If anything looks unusual, call the foreman before you go on.',
  'Keep the floor around the frame free of tools and cloths.',
  'The sign with the serial number is on the left side of the housing.',
  'Doors and covers have to be closed again in the order in which they were opened.',
  'A second person reads the display aloud while you turn the wheel.',
  'Parts that were taken off are laid onto a clean cloth.',
  'The cable is never pulled over sharp edges.',
  'Waste goes into the grey container next to the gate.',
  'Read this section to its end before you begin.',
]

const random = new Random(1)

const sections: Section[] = []
const all: Question[] = []
for (const machine of machines) {
  for (const { title, fact, query } of topics) {
    const told = fact(machine, 3 + sections.length)
    const sentences = Array.from({ length: 18 }, () => random.pick(others))
    sentences.splice(random.below(sentences.length), 0, told)
    const chapter = title === topics[0]!.title ? `The ${machine}` : undefined
    sections.push({ chapter, title: `${title} of the ${machine}`, sentences })
    all.push({ query: query(machine), fact: told, page: sections.length })
  }
}

/** Spread over the manual, of every topic. */
export const questions: Question[] = Array.from({ length: 30 }, (_, n) => all[(n * 37) % 100]!)

export const manualPdf = (): Buffer =>
  pdfOf(
    sections.map(({ chapter, title, sentences }, index): PdfLine[] => [
      { text: 'Operating manual of the plant', size: 8 },
      ...(chapter ? [{ text: chapter, size: 20, gap: 40 }] : []),
      { text: title, size: 15, gap: 30 },
      ...wrapped(sentences).map((text, line) => (line === 0 ? { text, gap: 24 } : text)),
      { text: `Page ${index + 1}`, size: 8, gap: 30 },
    ]),
    { packed: true },
  )

export const manualDocx = (): Buffer =>
  docxOf(
    sections.flatMap(({ chapter, title, sentences }): Paragraph[] => [
      ...(chapter ? [{ text: chapter, level: 1 }] : []),
      { text: title, level: 2 },
      sentences.join(' '),
    ]),
  )

export const manualHtml = (): Buffer => {
  const body = sections.map(
    ({ chapter, title, sentences }) =>
      `${chapter ? `<h1>${chapter}</h1>` : ''}<h2>${title}</h2><p>${sentences.join(' ')}</p>`,
  )
  return Buffer.from(`<!doctype html><html><body>${body.join('')}</body></html>`)
}

/** Lines of a page's width. */
function wrapped(sentences: string[]): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of sentences.join(' ').split(' ')) {
    if (line.length + word.length > 88) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
