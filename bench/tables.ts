/**
 * `npm run bench:tables`: asks an agent for rows of twelve tables, of 10 to 500 rows, in five kinds of files
 * and three languages, by their key and by another column: how often the answer is that row alone.
 */
import type { AgentAnswer } from '../generated/types.gen.ts'
import { makeQuestions, makeTables, type TableQuestion } from './made-tables.ts'
import { argumentsOf, runBench } from './run.ts'
import { headers, newDatastore, post, type Service, startService } from './service.ts'
import { type Cell, circumstances, table } from './table.ts'

const { versions, questions: count } = argumentsOf({ questions: 200 })
const tables = makeTables()

/** The agents of all tables, each of its table alone. */
async function learn(service: Service): Promise<string[]> {
  const agents: string[] = []
  for (const { name, bytes } of tables) {
    const datastore = await newDatastore(service)
    const form = new FormData()
    form.append('file', new File([new Uint8Array(bytes)], name))
    const { Authorization } = headers
    const sent = { method: 'POST', headers: { Authorization }, body: form }
    const answer = await fetch(`${service.url}/datastores/${datastore}/files`, sent)
    if (!answer.ok) throw new Error(await answer.text())
    const { id } = await post<{ id: string }>(service, '/agents', { name, description: name })
    await post(service, `/agents/${id}/knowledge`, { datastoreIds: [datastore] }, 'PUT')
    agents.push(id)
  }
  return agents
}

/** Whether an answer holds every cell of the row, and the key of no other. */
const isRowAlone = ({ answer, answered }: AgentAnswer, asked: TableQuestion): boolean =>
  answered &&
  asked.row.every((cell) => answer.includes(cell)) &&
  !tables[asked.table]!.keys.some((key) => key !== asked.row[0] && answer.includes(key))

await runBench(async (data, started) => {
  const rows: Cell[][] = [['', 'by key', 'by another column', 'declined']]
  const wrong: Cell[][] = [['table', 'question', 'answer']]
  for (const version of versions) {
    const service = await startService(started, version, `${data}/${version.name}`)
    const agents = await learn(service)
    const shares: number[] = []
    let declined = 0
    for (const by of ['key', 'other'] as const) {
      const asked = makeQuestions(tables, by, count)
      let right = 0
      for (const one of asked) {
        const body = { query: one.query, store: false }
        const given = await post<AgentAnswer>(service, `/agents/${agents[one.table]}/query`, body)
        if (isRowAlone(given, one)) right += 1
        else wrong.push([tables[one.table]!.name, one.query, given.answer.slice(0, 160)])
        if (!given.answered) declined += 1
      }
      shares.push(right / asked.length)
    }
    rows.push([version.name, ...shares, declined])
    await service.server.kill('SIGTERM')
  }
  console.log(table(wrong), table(rows), circumstances())
})
