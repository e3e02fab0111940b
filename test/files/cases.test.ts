import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { FragmentDetail } from '../../generated/types.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeLearnedAgent, query } from '../support/things.ts'
import { readHere } from './read-here.ts'
import { type Case, cases } from './cases.ts'

/** Files as people have them: what a reader sees in them comes out. */

const folder = join(import.meta.dirname, 'cases')

test.each(cases)('$name', async ({ name, must = [], not = [], order = [] }: Case) => {
  const { text } = await readHere({ name, bytes: readFileSync(join(folder, name)) })
  for (const part of must) expect(text).toContain(part)
  for (const part of not) expect(text).not.toContain(part)
  let end = 0
  for (const part of order) {
    expect(text.slice(end)).toContain(part)
    end = text.indexOf(part, end) + part.length
  }
})

test.each([
  ['table-ferries.csv', 1, 1, ([town]: string[]) => `When does the ferry from ${town} depart?`],
  ['table-products.md', 2, 11, ([, code]: string[]) => `What does ${code?.trim()} cost?`],
] as const)(
  'of %s each row is quoted alone when it is asked for',
  async (name, first, step, ask) => {
    const { client } = await joinServer()
    const text = readFileSync(join(folder, name), 'utf8')
    const { agent, datastore } = await makeLearnedAgent(client, [{ text, name }])
    const [head = '', ...lines] = text.trimEnd().split('\n')
    const rows = lines.slice(first - 1).filter((_, n) => n % step === 0)
    expect(rows.length).toBeGreaterThan(10)
    for (const row of rows) {
      const body = { query: ask(row.split(/[,|]/)), store: false }
      const { data } = await sdk.queryAgent({
        client,
        path: { id: agent },
        body,
        throwOnError: true,
      })
      expect(data.answer.split('\n').filter((line) => lines.includes(line))).toEqual([row])
    }
    const last = { query: rows.at(-1)!, topK: 1, include: [FragmentDetail.HEAD] }
    const [found] = await query(client, datastore, last)
    expect(found!.text.startsWith(head) || found!.head?.startsWith(head)).toBe(true)
  },
)

test('pages-short.pdf: a query, a source and a citation name the page, behind an empty one', async () => {
  const { client } = await joinServer()
  const { agent, datastore } = await makeLearnedAgent(client, [])
  const bytes = readFileSync(join(folder, 'pages-short.pdf'))
  const body = { file: new File([new Uint8Array(bytes)], 'pages-short.pdf') }
  await sdk.uploadFile({ client, path: { id: datastore }, body, throwOnError: true })
  const include = [FragmentDetail.SPAN]
  const [found] = await query(client, datastore, { query: 'silver spoon', include })
  expect(found?.span).toMatchObject({ page: 4 })
  const asked = { query: 'What does the silver spoon cost?' }
  const path = { id: agent }
  const { data } = await sdk.queryAgent({ client, path, body: asked, throwOnError: true })
  expect(data.citations.map(({ quote }) => quote.page)).toEqual([4])
})
