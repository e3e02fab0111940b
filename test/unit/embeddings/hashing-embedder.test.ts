import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { HashingEmbedder } from '../../../src/embeddings/hashing-embedder.ts'

const { signal } = new AbortController()
const embedder = new HashingEmbedder()

async function cosine(a: string, b: string): Promise<number> {
  const [x, y] = await embedder.embed([a, b], signal)
  return x?.reduce((sum, value, index) => sum + value * (y?.[index] ?? 0), 0) ?? NaN
}

test('a vector a text, in their order, of length 1, the same each time', async () => {
  const texts = ['one', 'two', 'three', 'one']
  const vectors = await embedder.embed(texts, signal)
  expect(vectors).toHaveLength(4)
  expect(vectors[0]).toEqual(vectors[3])
  expect(vectors[0]).not.toEqual(vectors[1])
  expect(await new HashingEmbedder().embed(texts, signal)).toEqual(vectors)
})

test.each([
  'the of and',
  '?',
  ' ',
  '\u0000',
  '😀',
  'ก',
  '\u0301',
  '́a',
  '!'.repeat(2000),
  'x',
  '',
  '中',
])('a vector is never zero: %j', async (text) => {
  const [vector] = await embedder.embed([text], signal)
  const length = Math.hypot(...(vector ?? []))
  expect(vector).toHaveLength(1024)
  expect(length).toBeCloseTo(1, 5)
})

test.each([
  ['the libraries are opening', 'when does the library open', 'the price of copper fell'],
  ['Bücher ausleihen', 'Bücherausleihe', 'Wetterbericht für morgen'],
  ['книги в библиотеке', 'библиотека и книга', 'погода завтра'],
  ['图书馆几点开门', '图书馆的开门时间', '明天天气怎么样'],
  ['ห้องสมุดเปิดกี่โมง', 'เวลาเปิดห้องสมุด', 'ราคาทองวันนี้'],
  ['getUserById(id)', 'function getUserById', 'class HttpServer'],
  ['accomodation', 'accommodation', 'transportation'],
])('%s is nearer to %s than to %s', async (text, near, far) => {
  expect(await cosine(text, near)).toBeGreaterThan((await cosine(text, far)) + 0.1)
})

test('the vectors of stored texts stay the same to the bit', async () => {
  const texts = [
    'The libraries are opening; THE doors open.',
    'Bücher ausleihen, İstanbul',
    'книги в библиотеке',
    'المكتبة والكتب',
    '图书馆几点开门',
    'ห้องสมุดเปิดกี่โมง',
    '도서관은 몇 시에 열어요',
    'getUserById(id) '.repeat(200),
    Array.from({ length: 600 }, (_, n) => `word${n}`).join(' '),
    'the of and',
    '😀 !?',
    '',
  ]
  const hash = createHash('sha256')
  for (const vector of await embedder.embed(texts, signal))
    hash.update(new Uint8Array(vector.buffer))
  expect(hash.digest('hex')).toBe(
    '223d41bc3b0c85b2b09743111a2683ea598f3d8d71c5465e7f0798d05a760877',
  )
})

test('case, accents of compatibility and width make no difference', async () => {
  expect(await cosine('ＬＩＢＲＡＲＹ ﬁle', 'library file')).toBeCloseTo(1, 5)
})
