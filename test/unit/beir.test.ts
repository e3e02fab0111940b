import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { readCollection } from '../bench/read-collection.ts'

const parent = await mkdtemp(join(tmpdir(), 'beir-'))
afterAll(() => rm(parent, { recursive: true }))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(parent, 'collection-'))
})

type Files = { corpus?: string; queries?: string; judged?: string }

const corpusOfOne = '{"_id": "d1", "text": "wings"}\n'
const queryOfOne = '{"_id": "q1", "text": "what flies"}\n'

async function read({ corpus = corpusOfOne, queries = queryOfOne, judged = 'q1\td1\t1' }: Files) {
  await mkdir(join(folder, 'qrels'))
  await writeFile(join(folder, 'corpus.jsonl'), corpus)
  await writeFile(join(folder, 'queries.jsonl'), queries)
  await writeFile(join(folder, 'qrels', 'test.tsv'), judged)
  return await readCollection(folder)
}

const lines = (...objects: object[]): string =>
  objects.map((object) => `${JSON.stringify(object)}\n`).join('')

test('a title stands above its text, and the gains are by query and document', async () => {
  const collection = await read({
    corpus: lines(
      { _id: 'd1', title: 'Birds', text: 'They fly.', metadata: { url: 'x' } },
      { _id: 'd2', title: '', text: 'Fish swim.' },
      { _id: 'd3', title: 'A title alone', text: '' },
      { _id: 4, text: 'A number as an id.' },
    ),
    queries: lines({ _id: 'q1', text: 'what flies' }, { _id: 'q2', text: 'what swims' }),
    judged: 'query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\t4\t1\nq2\td2\t1\n',
  })
  expect(collection).toEqual({
    documents: [
      { number: 'd1', text: 'Birds\nThey fly.' },
      { number: 'd2', text: 'Fish swim.' },
      { number: 'd3', text: 'A title alone' },
      { number: '4', text: 'A number as an id.' },
    ],
    queries: [
      { number: 'q1', text: 'what flies' },
      { number: 'q2', text: 'what swims' },
    ],
    judgements: new Map([
      ['q1', new Map(Object.entries({ d1: 2, 4: 1 }))],
      ['q2', new Map([['d2', 1]])],
    ]),
  })
})

test('carriage returns, empty lines, a byte order mark and no line feed at the end', async () => {
  const { documents, judgements } = await read({
    corpus: '\uFEFF{"_id":"d1","text":"one"}\r\n\r\n\n{"_id":"d2","text":"two"}\r\n  \n',
    judged: '\r\nquery-id\tcorpus-id\tscore\r\n\r\nq1\td1\t1\r\nq1\td2\t3',
  })
  expect(documents.map(({ number }) => number)).toEqual(['d1', 'd2'])
  expect(judgements.get('q1')).toEqual(new Map(Object.entries({ d1: 1, d2: 3 })))
})

test('line separators within a text end no line', async () => {
  const text = 'one\u2028two\u2029three\u0085four'
  const { documents } = await read({ corpus: lines({ _id: 'd1', text }) })
  expect(documents).toEqual([{ number: 'd1', text }])
})

test('a file of many pieces, cut within characters', async () => {
  const texts = Array.from({ length: 300 }, (_, n) => ({ _id: `d${n}`, text: '鳥'.repeat(n * 7) }))
  const { documents } = await read({ corpus: lines(...texts) })
  expect(documents).toEqual(texts.slice(1).map(({ _id: number, text }) => ({ number, text })))
})

test('blank documents are left out', async () => {
  const blank = [{ _id: 'd2' }, { _id: 'd3', text: null }, { _id: 'd4', title: ' ', text: '\n' }]
  const { documents } = await read({ corpus: corpusOfOne + lines(...blank) })
  expect(documents.map(({ number }) => number)).toEqual(['d1'])
})

test('only queries with a gain are asked; a score below 0 is no gain', async () => {
  const { queries, judgements } = await read({
    queries: lines(...['q1', 'q2', 'q3', 'q4'].map((id) => ({ _id: id, text: `about ${id}` }))),
    judged: 'q1\td1\t1\nq1\td2\t-2\nq2\td1\t0\nq3\td1\t-1\nq9\td1\t1\n',
  })
  expect(queries).toEqual([{ number: 'q1', text: 'about q1' }])
  expect(judgements.get('q1')?.get('d2')).toBe(0)
})

test('what is longer than the contract takes is cut, and stays well formed', async () => {
  const { documents, queries } = await read({
    corpus: lines({ _id: 'd1', text: 'x'.repeat(2_000_000) }),
    queries: lines({ _id: 'q1', text: `x${'😀'.repeat(5000)}` }),
  })
  expect(documents[0]?.text).toHaveLength(1_048_576)
  expect(queries[0]?.text).toHaveLength(8192)
  expect(queries[0]?.text.isWellFormed()).toBe(true)
})

const notAJudgement = 'not a query, a document and a score, with a tab between'

test.each<[string, Files]>([
  ['corpus.jsonl:3: not JSON', { corpus: `${corpusOfOne}\n{"_id": "d2",\n` }],
  ['corpus.jsonl:2: not an object', { corpus: `${corpusOfOne}["d2"]\n` }],
  ['corpus.jsonl:1: _id is not a string', { corpus: '{"text": "wings"}\n' }],
  ['corpus.jsonl:1: title or text is not a string', { corpus: lines({ _id: 'd1', text: 7 }) }],
  ['queries.jsonl:2: not JSON', { queries: `${queryOfOne}what flies\n` }],
  [`test.tsv:2: ${notAJudgement}`, { judged: 'query-id\tcorpus-id\tscore\nq1 d1 1\n' }],
  [`test.tsv:1: ${notAJudgement}`, { judged: 'q1\t0\td1\t1\n' }],
  ['test.tsv:2: the score is not a number', { judged: 'q1\td1\t1\nq1\td2\tgood\n' }],
  ['has no document with a text', { corpus: '' }],
  ['has no query with a judgement', { judged: 'q1\td1\t0\n' }],
])('"%s" is what is complained of', async (message, files) => {
  await expect(read(files)).rejects.toThrow(message)
})

test('a folder in no known layout names what is looked for', async () => {
  await expect(readCollection(folder)).rejects.toThrow('has none of corpus.jsonl, cran.all.1400')
})

test('a file that is not there is named', async () => {
  await writeFile(join(folder, 'corpus.jsonl'), corpusOfOne)
  await expect(readCollection(folder)).rejects.toThrow('queries.jsonl')
})

test('the layout of Cranfield is known by its files', async () => {
  await writeFile(join(folder, 'cran.all.1400'), '.I 1\n.T\nwings\n.W\nwings fly .\n.I 2\n.T\nno\n')
  await writeFile(join(folder, 'cran.qry'), '.I 3\n.W\nwhat flies .\n.I 5\n.W\nwhat swims .\n')
  await writeFile(join(folder, 'cranqrel'), '1 1 -1\n2 1 5\n')
  expect(await readCollection(folder)).toMatchObject({
    documents: [{ number: '1', text: 'wings\nwings fly .' }],
    queries: [{ number: '1', text: 'what flies .' }],
  })
})
