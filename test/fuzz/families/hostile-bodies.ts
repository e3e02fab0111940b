import { gzipSync } from 'node:zlib'
import type { Random } from '../../support/random.ts'
import { draftOf, toWire } from '../drafts.ts'
import type { Case } from '../wire.ts'
import type { World } from '../world.ts'

type Change = (json: string, random: Random) => Buffer | string

/** A body that a JSON reader may stumble over; those that the contract names as refused are so. */
export function hostileBody(world: World, random: Random): Case | undefined {
  const caller = random.pick(world.callers.full)
  const operation = random.pick(world.withBody)
  const draft = draftOf(operation, caller, random)
  if (draft?.body === undefined) return undefined
  const wire = toWire(draft)
  const [title, change] = random.pick(Object.entries(random.chance(0.5) ? notJson : oddJson))
  const body = Buffer.from(change(JSON.stringify(draft.body), random))
  const isLeftOut = body.length === 0 && !operation.requestBody?.required
  const expected = notJson[title] && !isLeftOut ? 'broken' : 'anything'
  return { title, caller, expected, operation, wire: { ...wire, body } }
}

const cutAt = (json: string, random: Random): string => json.slice(0, random.below(json.length))

/** No JSON in UTF-8, past what any body may be, or of numbers and texts that would not come back. */
const notJson: Record<string, Change> = {
  'cut short': (json, random) => cutAt(json, random),
  'something after it': (json, random) => json + random.pick(['x', '{}', ']', '\u0000', ',']),
  'a comma too many': (json) => json.replace(/\}$/, ',}'),
  'single quotes': (json) => `'${json}'`,
  'not a number': (json) => `{"a":NaN,${json.slice(1)}`,
  'bytes that are no UTF-8': (json) =>
    Buffer.concat([
      Buffer.from(json.slice(0, -1)),
      Buffer.from([0x2c, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    ]),
  'UTF-16': (json) => Buffer.from(`\ufeff${json}`, 'utf16le'),
  'gzip that nothing announces': (json) => gzipSync(json),
  'deep lists': () => '['.repeat(100_000),
  'deep objects': () => '{"a":'.repeat(50_000),
  'many values': () => `[${'0,'.repeat(20_000)}0]`,
  'a list in its place': (json) => `[${json}]`,
  'a text in its place': (json) => JSON.stringify(json),
  nothing: () => '',
  null: () => 'null',
  blanks: () => ' '.repeat(100),
  zeros: () => Buffer.alloc(1000),
}

const oddJson: Record<string, Change> = {
  'a member twice': (json) => `{${json.slice(1, -1)},${json.slice(1)}`,
  'a byte order mark': (json) => `\ufeff${json}`,
  'blanks around it': (json) => `\r\n\t ${json} \n`,
  'escapes everywhere': (json) =>
    json.replaceAll(/[a-z]/g, (one) =>
      /[bfnrtu]/.test(one) ? one : `\\u00${one.charCodeAt(0).toString(16)}`,
    ),
  'a lone surrogate': (json) => json.replace(/"([^"\\]*)"(?=[,}])/, '"$1\\ud800"'),
  NUL: (json) => json.replace(/"([^"\\]*)"(?=[,}])/, '"$1\\u0000"'),
  'a huge integer': (json) => json.replace(/:(\d+|"[^"\\]*")/, ':123456789012345678901234567890'),
  'a number past all': (json) => json.replace(/:(\d+|"[^"\\]*")/, ':1e400'),
  'a number below all': (json) => json.replace(/:(\d+|"[^"\\]*")/, ':-1e-400'),
  'many digits': (json) => json.replace(/:(\d+|"[^"\\]*")/, `:0.${'3'.repeat(50_000)}`),
  prototypes: (json) =>
    `{"__proto__":{"admin":true},"constructor":{"prototype":{}},${json.slice(1)}`,
  'a long text': (json) => json.replace(/"([^"\\]*)"(?=[,}])/, `"${'x '.repeat(100_000)}"`),
  'a long name': (json) => `{"${'n'.repeat(100_000)}":1,${json.slice(1)}`,
  'many unknown members': (json) =>
    `{${Array.from({ length: 2000 }, (_, at) => `"m${at}":1`).join()},${json.slice(1)}`,
  'one byte changed': (json, random) => {
    const bytes = Buffer.from(json)
    bytes[random.below(bytes.length)] = random.below(256)
    return bytes
  },
}
