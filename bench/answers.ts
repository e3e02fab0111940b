/**
 * `npm run bench:answers -- XQUAD`: asks an agent all questions of a language of XQuAD, without a chat
 * model: how often the right words are in the answer, and how often it declines where the paragraph that
 * answers is left out. Choices were made on the even questions; the odd ones show what they are worth.
 * Then it asks the questions of a real folder, where that is there, of all its documents and of thirty.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { mean } from 'simple-statistics'
import type { AgentAnswer } from '../generated/types.gen.ts'
import { readXquad, type Xquad } from './collection.ts'
import { percentile } from './metrics.ts'
import { readRealQuestions, type Verdict, verdictOf } from './real-questions.ts'
import { argumentsOf, runBench } from './run.ts'
import { post, type Service, startService, storeTexts } from './service.ts'
import { type Cell, circumstances, table } from './table.ts'

const { versions, folder, real } = argumentsOf({
  folder: '',
  real: '../shared/data/answers/give.json',
})
const { paragraphs, questions } = readXquad(folder)
type Question = Xquad['questions'][number]

/** `score` is of the best source; `isRight` when the words that answer are in the answer. */
type Outcome = { score: number; isRight: boolean; quotes: number; milliseconds: number }
type Asked = { own: Outcome; without: Outcome }

/** The share of answerable questions that an agent may decline. */
const maxDeclined = 0.1

async function newAgent(service: Service, datastore: string): Promise<string> {
  const fields = { name: 'bench', description: 'Answers.' }
  const { id } = await post<{ id: string }>(service, '/agents', fields)
  await post(service, `/agents/${id}/knowledge`, { datastoreIds: [datastore] }, 'PUT')
  return id
}

async function askAll(service: Service): Promise<Asked[]> {
  const texts = paragraphs.map((text, index) => ({ number: String(index), text }))
  const { id: datastore, numberOf } = await storeTexts(service, texts)
  const id = await newAgent(service, datastore)
  const idsBut = (paragraph: number) =>
    [...numberOf].filter(([, number]) => number !== String(paragraph)).map(([one]) => one)
  const ask = async ({ question, answers }: Question, filters: object): Promise<Outcome> => {
    const began = performance.now()
    const body = { query: question, store: false, filters }
    const given = await post<AgentAnswer>(service, `/agents/${id}/query`, body)
    return {
      score: given.answered ? given.sources[0]!.score : -Infinity,
      isRight: given.answered && answers.some((words) => given.answer.includes(words)),
      quotes: given.citations.length,
      milliseconds: performance.now() - began,
    }
  }
  const asked: Asked[] = []
  for (const question of questions) {
    const own = await ask(question, {})
    asked.push({
      own,
      without: await ask(question, { datasource_ids: idsBut(question.paragraph) }),
    })
  }
  return asked
}

const shareOf = <T>(some: T[], test: (one: T) => boolean): number =>
  some.filter(test).length / some.length

const rowOf = (name: string, asked: Asked[], minScore: number): Cell[] => {
  const isAnswered = ({ score }: Outcome) => score >= minScore
  const answered = asked.filter(({ own }) => isAnswered(own))
  return [
    name,
    shareOf(asked, ({ own }) => isAnswered(own) && own.isRight),
    shareOf(asked, ({ own }) => !isAnswered(own)),
    shareOf(asked, ({ without }) => !isAnswered(without)),
    mean(answered.map(({ own }) => own.quotes)),
  ]
}

/** The highest that declines at most this share of the answerable questions. */
function minScoreFor(asked: Asked[]): number {
  const scores = asked.map(({ own }) => own.score).toSorted((a, b) => a - b)
  return Math.max(0, scores[Math.floor(maxDeclined * scores.length)]!)
}

async function judgeReal(service: Service, name: string, count?: number): Promise<Cell[]> {
  const { documents, questions: asked } = readRealQuestions(real, count)
  const texts = documents.map(({ id, name: title, text }) => ({ number: id, name: title, text }))
  const { id: datastore, numberOf } = await storeTexts(service, texts)
  const agent = await newAgent(service, datastore)
  const judged: { kind: string; isAnswerable: boolean; verdict: Verdict }[] = []
  for (const question of asked) {
    const body = { query: question.text, store: false }
    const given = await post<AgentAnswer>(service, `/agents/${agent}/query`, body)
    const isAnswerable = !question.unanswerable
    judged.push({
      kind: question.kind,
      isAnswerable,
      verdict: verdictOf(question, given, numberOf),
    })
  }
  const answerable = judged.filter(({ isAnswerable }) => isAnswerable)
  const others = judged.filter(({ isAnswerable }) => !isAnswerable)
  const are = (verdict: Verdict) => (one: { verdict: Verdict }) => one.verdict === verdict
  const ofKind = (...kinds: string[]) => others.filter(({ kind }) => kinds.includes(kind))
  return [
    `${name}, ${documents.length} documents`,
    ...(['right', 'partly', 'wrong', 'declined'] as const).map((one) =>
      shareOf(answerable, are(one)),
    ),
    ...[ofKind('far', 'far german'), ofKind('near'), ofKind('left out')].map((some) =>
      shareOf(some, are('declined')),
    ),
  ]
}

const realHead = [
  'a real folder',
  'right',
  'partly',
  'wrong',
  'declined',
  'far: declined',
  'near: declined',
  'left out: declined',
]

await runBench(async (data, started) => {
  const head = ['right words in the answer', 'declined', 'declined without the paragraph', 'quotes']
  const rows: Cell[][] = [[`${questions.length} questions`, ...head]]
  const realRows: Cell[][] = [realHead]
  for (const version of versions) {
    const service = await startService(started, version, join(data, version.name))
    const asked = await askAll(service)
    const [tuned, fresh] = [0, 1].map((odd) => asked.filter((_, index) => index % 2 === odd))
    const minScore = minScoreFor(tuned!)
    rows.push(rowOf(`${version.name}, even questions`, tuned!, 0))
    rows.push(rowOf(`${version.name}, odd questions`, fresh!, 0))
    const setting = `minScore ${minScore.toFixed(3)}`
    rows.push(rowOf(`${version.name}, even questions, ${setting}`, tuned!, minScore))
    rows.push(rowOf(`${version.name}, odd questions, ${setting}`, fresh!, minScore))
    const times = asked.map(({ own }) => own.milliseconds)
    const [p50, p95] = [0.5, 0.95].map((share) => percentile(times, share).toFixed(1))
    console.log(`${version.name}: an answer takes ${p50} ms, and ${p95} at p95, for one client.`)
    if (!existsSync(real)) continue
    realRows.push(await judgeReal(service, version.name))
    realRows.push(await judgeReal(service, version.name, 30))
  }
  console.log(table(rows))
  if (realRows.length > 1) console.log(table(realRows))
  console.log(circumstances())
})
