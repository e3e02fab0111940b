import type { Random } from '../support/random.ts'

export type Part = { name: string; value: string | Buffer; filename?: string; type?: string }
export type Form = { type: string; body: Buffer }

/** The parts as browsers write them. */
export function formOf(parts: Part[], random: Random): Form {
  const boundary = random.pick(['x', '----WebKitFormBoundary7MA4YWxkTrZu0gW', "a'()+_,-./:=?"])
  const body = parts.flatMap(({ name, value, filename, type }) => {
    const file = filename === undefined ? '' : `; filename="${quoted(filename)}"`
    const head = [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${quoted(name)}"${file}`,
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
      '',
      '',
    ]
    return [Buffer.from(head.join('\r\n')), Buffer.from(value), Buffer.from('\r\n')]
  })
  return {
    type: `multipart/form-data; boundary="${boundary}"`,
    body: Buffer.concat([...body, Buffer.from(`--${boundary}--\r\n`)]),
  }
}

const quoted = (text: string): string =>
  text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** The form with bytes lost, added or changed, or of another boundary than its type says. */
export function hostileForm({ type, body }: Form, random: Random): Form {
  return random.pick(changes)({ type, body }, random)
}

const pieces = [
  '\r\n',
  '--',
  '--x',
  '--x--',
  '\r\nBAD\r\n\r\n',
  ':',
  '\0',
  'Content-Disposition',
  'a: b\r\n'.repeat(50),
  '\n',
  '"',
  `${'h'.repeat(20_000)}: 1\r\n`,
]

const changes: ((form: Form, random: Random) => Form)[] = [
  ({ type, body }, random) => ({ type, body: body.subarray(0, random.below(body.length)) }),
  ({ type, body }, random) => ({ type, body: body.subarray(random.below(body.length)) }),
  ({ type, body }, random) => ({
    type,
    body: Buffer.concat([body, body]).subarray(random.below(20)),
  }),
  ({ type, body }, random) => {
    const at = random.below(body.length)
    return {
      type,
      body: Buffer.concat([
        body.subarray(0, at),
        Buffer.from(random.pick(pieces)),
        body.subarray(at),
      ]),
    }
  },
  ({ type, body }, random) => {
    const changed = Buffer.from(body)
    changed[random.below(body.length)] = random.below(256)
    return { type, body: changed }
  },
  ({ body }, random) => ({ type: random.pick(types), body }),
  ({ type }, random) => ({
    type,
    body: Buffer.from(Array.from({ length: random.below(8) }, () => random.pick(pieces)).join('')),
  }),
]

const types = [
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=y',
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
  'multipart/mixed; boundary=x',
  'multipart/form-data; boundary=x; boundary=y',
  'MULTIPART/FORM-DATA; BOUNDARY="x"',
  'multipart/form-data; charset=utf-16; boundary=x',
]
