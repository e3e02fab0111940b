import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readCollection } from './collection.ts'
import { cutTexts, questionsOf } from './texts.ts'

async function collectionOf(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'collection-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'qrels'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return readCollection(folder)
}

const beir = (documents: object[], queries: object[], judged: string) => {
  const lines = (objects: object[]) => objects.map((one) => `${JSON.stringify(one)}\r\n\n`).join('')
  const texts = { 'corpus.jsonl': `\uFEFF${lines(documents)}`, 'queries.jsonl': lines(queries) }
  return collectionOf({ ...texts, 'qrels/test.tsv': judged })
}

const bird = { _id: 'd1', title: 'Birds', text: 'They\u2028fly.' }
const question = { _id: 'q1', text: 'what flies' }

test("BEIR's layout: a title stands above its text, and blank documents are left out", async () => {
  const documents = [bird, { _id: 4, text: 'Fish swim.' }, { _id: 'd3', title: ' ', text: '\n' }]
  const judged = 'query-id\tcorpus-id\tscore\nq1\td1\t2\r\nq1\t4\t-1\n'
  const collection = await beir(documents, [question, { _id: 'q2', text: 'unjudged' }], judged)
  expect(collection.documents.map(({ text }) => text)).toEqual([
    'Birds\nThey\u2028fly.',
    'Fish swim.',
  ])
  expect(collection.queries).toEqual([{ number: 'q1', text: 'what flies' }])
  expect(collection.judgements.get('q1')).toEqual(new Map(Object.entries({ d1: 2, 4: 0 })))
})

test('a line that is no judgement is told, and so is a collection without any', async () => {
  await expect(beir([bird], [question], 'q1 d1 1\n')).rejects.toThrow('q1 d1 1')
  await expect(beir([bird], [question], 'q1\td1\t0\n')).rejects.toThrow('nothing to measure')
})

test("Cranfield's layout: records without a text are left out, and queries go by their order", async () => {
  const collection = await collectionOf({
    'cran.all.1400': '.I 1\n.T\nwings\n.A\nme\n.W\nwings fly .\n.I 2\n.T\nno\n',
    'cran.qry': '.I 3\n.W\nwhat flies .\n.I 5\n.W\nwhat swims .\n',
    cranqrel: '1 1 -1\n1 2 4\n2 1 5\n',
  })
  expect(collection.documents).toEqual([{ number: '1', text: 'wings\nwings fly .' }])
  expect(collection.queries).toEqual([{ number: '1', text: 'what flies .' }])
  expect(collection.judgements.get('1')).toEqual(new Map(Object.entries({ 1: 1, 2: 1 })))
})

const words = Array.from({ length: 400 }, (_, n) => `word${n}`)
const documents = [words.slice(0, 200), ['short'], words.slice(200)].map((some, n) => {
  return { number: String(n), text: some.join(' ') }
})

test('texts are cut into as many as asked, of some 400 characters, between words', () => {
  const cut = cutTexts(documents, 500)
  expect(new Set(cut.map(({ number }) => number)).size).toBe(500)
  expect(cut.filter(({ text }) => text.length < 350 || text.length > 450).length).toBeLessThan(5)
  for (const { text } of cut) expect([...words, 'short']).toContain(text.trim().split(' ')[0])
})

test('questions are the given ones and then spans of 6 to 20 words, the same in each run', () => {
  const questions = questionsOf(['what flies', 'what flies'], documents, 300)
  expect(new Set(questions).size).toBe(300)
  for (const span of questions.slice(1)) expect(words.join(' ')).toContain(span)
  const lengths = questions.slice(1).map((span) => span.split(' ').length)
  expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([6, 20])
  expect(questionsOf(['what flies'], documents, 300)).toEqual(questions)
  expect(questionsOf([], documents.slice(1, 2), 300)).toEqual([])
})
