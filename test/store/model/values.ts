import * as fc from 'fast-check'
import type { Metadata } from '../../../generated/types.gen.ts'

/** What requests are made of: few values, so that the same come again. */

/** A text by what it is about and how long it is; past some 45 lines it has several fragments. */
export type Text = { about: number; lines: number }

export const textOf = ({ about, lines }: Text): string =>
  Array.from(
    { length: lines },
    (_, line) => `${subjects[about % subjects.length]} ${about}, in line ${line} of its own.`,
  ).join(about % 2 === 0 ? ' ' : '\n\n')

const subjects = [
  'The library opens at',
  'Books are kept for',
  "O'Hara’s 😀 pays",
  '\uFEFF図書館は',
]

/** Metadata, and what the service makes of it. */
export const metadataCases: { metadata: Metadata; source: string; customIds: string[] }[] = [
  { metadata: null, source: '', customIds: [] },
  { metadata: {}, source: '', customIds: [] },
  { metadata: { custom_id: 'ann', url: 'https://a' }, source: 'https://a', customIds: ['ann'] },
  { metadata: { custom_id: ['ann', 'bob'], source: 'b' }, source: 'b', customIds: ['ann', 'bob'] },
  {
    metadata: { custom_id: 'bob', source_url: '', source: "o'hara", url: 'https://a' },
    source: "o'hara",
    customIds: ['bob'],
  },
  { metadata: { custom_id: 7, deep: [{ x: null }] }, source: '', customIds: [] },
]

export const sources = ['', 'https://a', 'b', "o'hara", 'unknown']

/** A document as sent; `metadata` is the index of a case. */
export type Sent = { text: Text; name?: string; metadata?: number }

export const number: fc.Arbitrary<number> = fc.nat(99)

export const someName: fc.Arbitrary<string> = fc.constantFrom('', 'One', "o'two", '三')

const someText = fc.record({
  about: fc.nat(30),
  lines: fc.constantFrom(1, 1, 2, 3, 60, 110, 160),
})

export const sent: fc.Arbitrary<Sent> = fc.record(
  { text: someText, name: someName, metadata: fc.nat(metadataCases.length - 1) },
  { requiredKeys: ['text'] },
)

export const wireOf = ({ text, name, metadata }: Sent) => ({
  text: textOf(text),
  ...(name !== undefined && { name }),
  ...(metadata !== undefined && { metadata: metadataCases[metadata]!.metadata }),
})

export const limit: fc.Arbitrary<number> = fc.constantFrom(1, 2, 5, 100)
