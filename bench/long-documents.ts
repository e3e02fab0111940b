import { mean } from 'simple-statistics'
import { longReadmes, questionsAbout } from './readmes.ts'
import { newDatastore, post, type Service, upsertPath } from './service.ts'
import { whenIdle } from './processes.ts'
import { type Cell, table } from './table.ts'

const depth = 10
const modes = ['keyword', 'hybrid'] as const

type Fragment = { text: string; datasource_name: string }

/** How often the fragment that answers stands first, and its mean reciprocal rank among ten. */
export async function longDocuments(services: Service[]): Promise<string> {
  const readmes = longReadmes()
  const questions = questionsAbout(readmes)
  const title = `${readmes.length} READMEs, ${questions.length} questions`
  const rows: Cell[][] = [[title, 'hit@1', 'MRR@10', 'right document first']]
  for (const service of services) {
    const id = await newDatastore(service)
    for (const document of readmes) {
      await post(service, upsertPath(id), { documents: [document] })
    }
    await whenIdle(service.pid)
    for (const mode of modes) {
      const ranks: number[] = []
      const first: boolean[] = []
      for (const { query, name, answer } of questions) {
        const body = { query, topK: depth, mode }
        const found = await post<Fragment[]>(service, `/datastores/${id}/query`, body)
        const isRight = (one: Fragment) => one.datasource_name === name && one.text.includes(answer)
        ranks.push(found.findIndex(isRight) + 1)
        first.push(found[0]?.datasource_name === name)
      }
      const shareOf = (flags: boolean[]) => mean(flags.map(Number))
      const reciprocal = mean(ranks.map((rank) => (rank === 0 ? 0 : 1 / rank)))
      const hits = shareOf(ranks.map((rank) => rank === 1))
      rows.push([`${service.name}, ${mode}`, hits, reciprocal, shareOf(first)])
    }
  }
  return table(rows)
}
