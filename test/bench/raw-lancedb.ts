import { connect, type Table } from '@lancedb/lancedb'
import { Field, FixedSizeList, Float32, Schema, Table as Rows, Utf8 } from 'apache-arrow'
import { stringColumn, vectorColumn } from '../../src/store/lance/columns.ts'
import { itemOf } from '../../src/store/lance/schema.ts'
import { nearestTo, makeVectorIndex } from '../../src/store/indexes/vector-index.ts'
import type { Text } from './collection.ts'
import { serveJobs } from './job-process.ts'
import { vectorsOf } from './nearness.ts'
import { type Ask, type LoadReport, type Pace, timedLoad } from './timed-load.ts'

/**
 * LanceDB alone in a process of its own, as whoever knows it well would use it: one table of what an
 * answer needs, the service's index, ready-made vectors, and callers in the same process.
 */
export type RawJob =
  | { kind: 'store'; directory: string; texts: Text[] }
  | { kind: 'ask'; query: string; topK: number }
  | LoadJob

type LoadJob = { kind: 'load'; questions: string[]; topK: number; callers: number } & Pace

const answerColumns = ['text', 'source', 'datasource_id', 'name', '_distance']

let table: Table

serveJobs((job: RawJob): Promise<unknown> => {
  if (job.kind === 'store') return store(job.directory, job.texts)
  return job.kind === 'ask' ? ask(job.query, job.topK) : load(job)
})

async function ask(query: string, topK: number): Promise<string[]> {
  const [vector] = await vectorsOf([query])
  return (await nearest(vector!, topK)).map(({ datasource_id: number }) => number)
}

async function load({ questions, topK, callers, ...pace }: LoadJob): Promise<LoadReport> {
  const vectors = await vectorsOf(questions)
  const call: Ask = async (question) => {
    await nearest(vectors[question % vectors.length]!, topK)
    return { kind: 'answer' }
  }
  return await timedLoad(pace, Array<Ask>(callers).fill(call))
}

const nearest = (vector: Float32Array, topK: number): Promise<{ datasource_id: string }[]> =>
  nearestTo(table.query(), [vector], topK).select(answerColumns).toArray()

async function store(directory: string, texts: Text[]): Promise<void> {
  const vectors = await vectorsOf(texts.map(({ text }) => text))
  const dimensions = vectors[0]!.length
  const schema = new Schema([
    ...['text', 'source', 'datasource_id', 'name'].map(
      (name) => new Field(name, new Utf8(), false),
    ),
    new Field('vector', new FixedSizeList(dimensions, itemOf(new Float32())), false),
  ])
  const empty = stringColumn(texts.map(() => ''))
  const rows = new Rows(schema, {
    text: stringColumn(texts.map(({ text }) => text)),
    source: empty,
    datasource_id: stringColumn(texts.map(({ number }) => number)),
    name: empty,
    vector: vectorColumn(vectors, dimensions),
  })
  const connection = await connect(directory)
  table = await connection.createTable('fragments', rows)
  await makeVectorIndex(table)
}
