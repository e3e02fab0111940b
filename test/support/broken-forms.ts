import * as fc from 'fast-check'

/** A form as it is sent, sound or broken in any place. */
export type SentForm = { type: string; body: Buffer }

const boundaries = fc.constantFrom(
  'x',
  '----b',
  "a'b",
  '-',
  'b'.repeat(70),
  'b'.repeat(71),
  '',
  'b b',
)

const typeOf: Record<string, (boundary: string) => string> = {
  plain: (boundary) => `multipart/form-data; boundary=${boundary}`,
  quoted: (boundary) => `Multipart/Form-Data; boundary="${boundary}"`,
  twice: (boundary) => `multipart/form-data; boundary=${boundary}; boundary=y`,
  another: (boundary) => `multipart/form-data; boundary=y${boundary}`,
  none: () => 'multipart/form-data',
  unclosed: (boundary) => `multipart/form-data; boundary="${boundary}`,
  extended: (boundary) => `multipart/form-data; boundary*=utf-8''${boundary}`,
  mixed: (boundary) => `multipart/mixed; boundary=${boundary}`,
  noSubtype: (boundary) => `multipart/; boundary=${boundary}`,
  charset: (boundary) => `multipart/form-data; charset=utf-16; ;; boundary=${boundary};`,
}

const heads = fc.constantFrom(
  'Content-Disposition: form-data; name="file"; filename="a.md"',
  'Content-Disposition: form-data; name="file"; filename=""',
  `Content-Disposition: form-data; name="file"; filename*=utf-8''%e4%b9%9d.md`,
  `Content-Disposition: form-data; name="file"; filename*=utf-7''%zz`,
  'Content-Disposition: form-data; name="name"',
  'Content-Disposition: form-data; name="metadata"',
  'Content-Disposition: form-data; name="key"',
  'Content-Disposition: form-data; name="__proto__"; filename="a"',
  'Content-Disposition: form-data; name=""',
  'Content-Disposition: form-data',
  'Content-Disposition: attachment; name="file"; filename="a"',
  'Content-Disposition: form-data; name="file',
  'Content-Disposition: form-data;\r\n name="file"; filename="folded"',
  'Content-Type: application/octet-stream',
  'Content-Type: text/plain; charset=utf-16le',
  'Content-Type: text/plain; charset=nonsense',
  'Content-Type: multipart/mixed; boundary=x',
  'Content-Transfer-Encoding: base64',
  'BAD',
  ': no name',
  'No-Value:',
  'Größe: ü\0',
  'Bare: a\rb',
  'Bare: a\nb',
  `Long: ${'a'.repeat(20_000)}`,
  `Many: 1\r\n${'A: b\r\n'.repeat(2_100)}Many: 2`,
)

const contents = fc.oneof(
  fc.constantFrom('', 'At nine.', '{"lang":"en"}', '{', '\r\n', '\r\n--', '--x', '--x--', '\0\xff'),
  fc.constantFrom('a'.repeat(70_000), '\r\n--b'.repeat(5_000), 'PK\x03\x04', '%PDF-1.7'),
  fc.constant('--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nnested\r\n--x--'),
)

const mostly = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, fc.constantFrom(...others))

type Part = { heads: string[]; content: string; lineEnd: string }

const soundPart: Part = {
  heads: ['Content-Disposition: form-data; name="file"; filename="a.md"'],
  content: 'At nine.',
  lineEnd: '\r\n',
}

const anyPart: fc.Arbitrary<Part> = fc.record({
  heads: fc.array(heads, { maxLength: 3, size: 'max' }),
  content: contents,
  lineEnd: mostly('\r\n', '\n', '\r', ''),
})

const parts: fc.Arbitrary<Part[]> = fc.oneof(
  { weight: 4, arbitrary: fc.array(anyPart, { maxLength: 4, size: 'max' }) },
  { weight: 2, arbitrary: fc.constant<Part[]>([soundPart]) },
  { weight: 2, arbitrary: anyPart.map((part): Part[] => [soundPart, part]) },
  {
    weight: 1,
    arbitrary: heads.map((head) =>
      Array.from({ length: 40 }, (): Part => ({ ...soundPart, heads: [head] })),
    ),
  },
)

const textOf = ({ heads: lines, content, lineEnd }: Part, boundary: string): string =>
  [`--${boundary}`, ...lines, '', content, ''].join(lineEnd)

/** Forms that a small grammar makes: some sound, many broken in one place, and some in all. */
export const forms: fc.Arbitrary<SentForm> = fc
  .record({
    boundary: boundaries,
    type: mostly('quoted', ...Object.keys(typeOf)),
    preamble: mostly('', '\r\n', 'preamble\r\n', '--'),
    parts,
    end: mostly('--', '--\r\nepilogue', '--\r\n--x--', '', '-', '\r\n'),
    /** The share of the form that arrives. */
    sent: fc.oneof(
      { weight: 6, arbitrary: fc.constant(1) },
      fc.double({ min: 0, max: 1, noNaN: true }),
    ),
  })
  .map(({ boundary, type, preamble, parts: all, end, sent }) => {
    const texts = all.map((part) => textOf(part, boundary)).join('')
    const whole = Buffer.from(`${preamble}${texts}--${boundary}${end}`, 'latin1')
    const body = whole.subarray(0, Math.ceil(whole.length * sent))
    return { type: typeOf[type]!(boundary), body }
  })
