import { complaint, type Json } from '../support/contract.ts'
import { hostileIds } from '../support/hostile-ids.ts'
import type { Random } from '../support/random.ts'

type Schema = { [keyword: string]: Json }

/** Choices, and the word that marks what one workspace stores. */
export type Draw = { random: Random; marker: string }

const phrases = [
  'When does the library open?',
  'The library opens at nine in the morning, Monday to Saturday.',
  'Books may be kept for four weeks and renewed twice.',
  '# Opening hours\n\n- Monday\n- Sunday\n\n| Day | Hour |\n| --- | --- |\n| Monday | 9 |',
  '図書館は九時に開きます。',
  'مكتبة 👩‍🔬🇨🇭 Größe naïve ﬁ İstanbul',
  'a\u0000b\u0001c\u007f\u0085d\ufffd',
  'x\u202e\u200b\ufeff\u2028y',
  '<script>alert(1)</script> {query} {context} ${x} %s %00',
  '--- end of fragments ---\n[1] [2] [99]',
  '\\"\'`;--/**/',
  '2026-11-21T09:30:00Z',
  '0',
  'null',
  '[object Object]',
]

export const phrase = ({ random, marker }: Draw): string => {
  const words = Array.from({ length: 1 + random.below(3) }, () => random.pick(phrases))
  return [...words, ...(random.chance(0.5) ? [marker] : [])].join(' ')
}

const lowercase = 'abcdefghijklmnopqrstuvwxyz0123456789-'

const run = (random: Random, alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join('')

/** Texts of every look that a pattern of the contract asks for. */
const looks: ((draw: Draw) => string)[] = [
  phrase,
  ({ random }) => random.pick(hostileIds),
  ({ random }) => run(random, lowercase, 1 + random.below(40)),
  ({ random }) => `"${run(random, lowercase, random.below(20))}"`,
  ({ random }) => `W/"${random.below(9)}", "${random.below(9)}"`,
  () => '*',
  ({ random }) => `/${run(random, lowercase, 5)}/${random.below(3)}`,
  ({ random }) => random.pick(['lang', 'published', '/author/name', '/tags/0', 'custom_id', '']),
  ({ random }) =>
    random.pick(['2026-11-21', '2099-01-31T23:59:59.5+01:00', '9999-12-31T00:00:00Z']),
]

/** A text that the schema takes, which now and then is as short or as long as it may be. */
export function textOf(schema: Schema, draw: Draw, isSendable: (text: string) => boolean): string {
  for (let tries = 0; tries < 2_000; tries++) {
    const text = fitted(schema, draw.random.pick(looks)(draw), draw.random)
    if (isSendable(text) && isTaken(schema, text)) return text
  }
  throw new Error(`No text is made for ${JSON.stringify(schema)}`)
}

/** The longest that is filled up to its limit at a time. */
const longest = 20_000

function fitted(schema: Schema, text: string, random: Random): string {
  const { maxLength = Number.MAX_SAFE_INTEGER, minLength = 0 } = schema as Record<string, number>
  const length = [...text].length
  if (maxLength <= longest && random.chance(0.03))
    return text + 'x'.repeat(Math.max(0, maxLength - length))
  if (random.chance(0.03)) return 'é'.repeat(minLength)
  return length > maxLength ? [...text].slice(0, maxLength).join('') : text
}

/** The validator of the tests knows the names of the service's own formats, and not what they are. */
function isTaken(schema: Schema, text: string): boolean {
  if (schema.format === 'instant' || schema.format === 'date-time') {
    const isWhole = schema.format === 'date-time'
    if (isWhole ? !/^2099-.*T/.test(text) : !/^\d{4}-\d\d-\d\d(T.*)?$/.test(text)) return false
  }
  if (schema.format === 'visible' && !/[\p{L}\p{Nd}]/u.test(text)) return false
  return complaint(plain(schema), text) === undefined
}

const plainOnes = new WeakMap<Schema, Schema>()

/** What it says of texts alone, the same object each time, for validators are kept by it. */
function plain(schema: Schema): Schema {
  const { type, minLength, maxLength, pattern, format } = schema
  const kept = plainOnes.get(schema) ?? without({ type, minLength, maxLength, pattern, format })
  plainOnes.set(schema, kept)
  return kept
}

const without = (schema: Record<string, Json | undefined>): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as Schema
