import { operations } from '../../support/contract.ts'
import { docxOf } from '../../support/documents/packages.ts'
import { pdfOf } from '../../support/documents/pdf.ts'
import type { Random } from '../../support/random.ts'
import { type Draft, draftOf, drawOf, toWire } from '../drafts.ts'
import { formOf, hostileForm, type Part } from '../forms.ts'
import { jsonOf, metadataOf } from '../metadata.ts'
import { phrase } from '../texts.ts'
import { stringOf } from '../values.ts'
import type { Case, Expectation } from '../wire.ts'
import type { World } from '../world.ts'

const operationOf = (id: string) => operations.find(({ operationId }) => operationId === id)!
const [uploadFile, putFile] = [operationOf('uploadFile'), operationOf('putFile')]

/** A file as a form or as the body itself, valid or with a fault. */
export function file(world: World, random: Random): Case | undefined {
  const caller = random.pick(world.callers.full)
  const make = random.pick([rawFile, form, form, brokenForm, hostile])
  const draft = draftOf(make === rawFile ? putFile : uploadFile, caller, random)
  return draft && make(draft, random)
}

const caseOf = (
  draft: Draft,
  title: string,
  expected: Expectation,
  type: string | undefined,
  body: Buffer,
): Case => {
  const wire = toWire(draft)
  const headers: Draft['headers'] =
    type === undefined ? wire.headers : [...wire.headers, ['Content-Type', type]]
  const { caller, operation } = draft
  return { title, caller, expected, operation, wire: { ...wire, headers, body } }
}

const types = [
  undefined,
  'application/octet-stream',
  'application/octet-stream; charset=utf-8',
  'Application/Octet-Stream;x=y',
]

function rawFile(draft: Draft, random: Random): Case {
  const body = contentOf(draft, random)
  return caseOf(draft, 'a file', isSound(body) ? 'valid' : 'anything', random.pick(types), body)
}

function contentOf(draft: Draft, random: Random): Buffer {
  const text = readable(phrase(drawOf(random, draft.caller)))
  // A process reads each, so they are few.
  if (random.chance(0.02))
    return random.pick([
      pdfOf([[text.replaceAll(/[^ -~]/g, '')]]),
      docxOf([text.replaceAll(/\p{Cc}/gu, '')]),
    ])
  const html = `<!doctype html><h1>${text}</h1><p>${text}`
  const odd = [
    Buffer.alloc(0),
    Buffer.from('%PDF-'),
    Buffer.from('PK\u0003\u0004'),
    Buffer.from(' '),
    Buffer.from([0xff, 0xfe, 0xd8]),
    Buffer.from(text, 'utf16le'),
    Buffer.from('{"a":'.repeat(50)),
  ]
  return random.chance(0.15)
    ? random.pick(odd)
    : Buffer.from(random.pick([text, text, html, `# ${text}`, 'a,b\n1,2\n']))
}

/** Files with control characters are of no kind that is read. */
const readable = (text: string): string => text.replaceAll(/[^\P{Cc}\n]/gu, '')

/** Whether there is something in it that can be read. */
const isSound = (bytes: Buffer): boolean =>
  /\p{L}{3}/u.test(bytes.toString()) && !/PDF-|PK/.test(bytes.toString())

function partsOf(draft: Draft, random: Random): Part[] {
  const draw = drawOf(random, draft.caller)
  const { properties } = formSchema
  const others: Part[] = [
    { name: 'name', value: stringOf(properties.name, draw) },
    { name: 'key', value: stringOf(properties.key, draw) },
    {
      name: 'metadata',
      value: JSON.stringify(Object.fromEntries(metadataOf(draw))),
      type: 'application/json',
    },
  ]
  const filename = random.pick(['hours.txt', 'a".md', '../../x', '鍵.html', '\\\\x\\y', 'a;b=c'])
  const value = Buffer.from(`${readable(phrase(draw))} read`)
  return [{ name: 'file', filename, value }, ...others.filter(() => random.chance(0.4))]
}

const formSchema = {
  properties: {
    name: { $ref: '#/components/schemas/DatasourceName' },
    key: { $ref: '#/components/schemas/NewKey' },
  },
}

function form(draft: Draft, random: Random): Case {
  const { type, body } = formOf(partsOf(draft, random), random)
  return caseOf(draft, 'a form', 'valid', type, body)
}

function brokenForm(draft: Draft, random: Random): Case {
  const parts = partsOf(draft, random)
  const json = JSON.stringify(jsonOf(drawOf(random, draft.caller), 3))
  const [title, changed] = random.pick<[string, Part[]]>([
    ['no file', parts.filter(({ name }) => name !== 'file')],
    ['two files', [...parts, parts[0]!]],
    ['an unknown part', [...parts, { name: 'nonsense', value: '1' }]],
    ['__proto__ as a part', [...parts, { name: '__proto__', value: json }]],
    ['a long name', [...parts.slice(0, 1), { name: 'name', value: 'x'.repeat(257) }]],
    ['an empty key', [...parts.slice(0, 1), { name: 'key', value: '' }]],
    ['metadata that is no JSON', [...parts.slice(0, 1), { name: 'metadata', value: '{a' }]],
    ['metadata that is a list', [...parts.slice(0, 1), { name: 'metadata', value: '[1]' }]],
    ['many parts', Array.from({ length: 40 }, () => parts[0]!)],
  ])
  const { type, body } = formOf(changed, random)
  return caseOf(draft, title, 'broken', type, body)
}

function hostile(draft: Draft, random: Random): Case {
  const { type, body } = hostileForm(formOf(partsOf(draft, random), random), random)
  return caseOf(draft, 'a hostile form', 'anything', type, body)
}
