import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const { client } = await joinServer()

const sentences = Array.from(
  { length: 90 },
  (_, n) => `Sentence ${n} says that ${'what was sent back '.repeat((n % 5) + 1)}is paid.`,
)
const wrap = (text: string) => text.replace(/(.{1,72})(?: |$)/g, '$1\n')
const table = Array.from({ length: 160 }, (_, n) => `| timeout_${n} | Waits. Then stops. | ${n} |`)
const code = Array.from({ length: 30 }, (_, n) => `const value${n} = call(${n}) // Done? Yes.`)
const section = (n: number) =>
  `## Part ${n}\n\n${sentences.slice(0, 6).join(' ')}\n\n\`\`\`js\n${code.join('\n\n')}\n\`\`\``

const startsOfSentences = /^\s*Sentence\s\d/
const wholeRows = /^\|.*\|$/
const cases: Record<string, { text: string; begins: RegExp; ends?: RegExp }> = {
  'sentences over line ends': { text: wrap(sentences.join(' ')), begins: startsOfSentences },
  'sentences in indented lines': {
    text: wrap(sentences.join(' ')).replaceAll(/^(?=.)/gm, '       '),
    begins: startsOfSentences,
  },
  'lines with carriage returns': {
    text: wrap(sentences.join(' ')).replaceAll('\n', '\r\n'),
    begins: startsOfSentences,
  },
  'sentences on one line': { text: sentences.join(' '), begins: startsOfSentences },
  'Japanese sentences': {
    text: '送料は全国一律で五百円です。返品は三十日以内に限ります。'.repeat(120),
    begins: /^[送返]/,
    ends: /。$/,
  },
  'spaces between two words': { text: `alpha${' '.repeat(6_000)}beta`, begins: /^(?:alpha|beta)/ },
  'line feeds between two words': { text: `gamma${'\n'.repeat(9_000)}delta`, begins: /^(?:g|d)/ },
  'invisible characters between': { text: `one${'\u200b'.repeat(9_000)}two`, begins: /^(?:o|t)/ },
  'a table of many rows': { text: table.join('\n'), begins: /^\| t/, ends: wholeRows },
  'a table without bars at its ends': {
    text: ['name | does', '--- | ---', ...table.map((row) => row.slice(2, -2))].join('\n'),
    begins: /^(?:name|timeout_\d+) \|/,
    ends: /\| \d+$/,
  },
  'code in fences': {
    text: [1, 2, 3, 4].map(section).join('\n\n'),
    begins: /^(?:## Part \d|Sentence \d|```js)/,
    ends: /(?:^```|paid\.)$/,
  },
  families: { text: `xx${'👨‍👩‍👧‍👦'.repeat(400)}`, begins: /^(?:xx)?👨‍👩‍👧‍👦/, ends: /👨‍👩‍👧‍👦$/ },
  flags: { text: `xx${'🇫🇷'.repeat(1_500)}`, begins: /^(?:xx)?🇫🇷/, ends: /🇫🇷$/ },
}

test.each(Object.entries(cases))('%s are cut where a reader would', async (_, one) => {
  const { text, begins, ends = /\S/ } = one
  const id = await makeDatastore(client)
  const [datasourceId = ''] = await upsert(client, id, text)
  const found = await query(client, id, { query: 'words', mode: 'vector', topK: 100 })
  const path = { id, datasourceId }
  const { data } = await sdk.getDatasource({ client, path, throwOnError: true })
  expect(data).toMatchObject({ text, fragmentCount: found.length })
  expect(found.length).toBeGreaterThan(1)
  for (const fragment of found) {
    expect(text).toContain(fragment.text)
    expect(fragment.text).toMatch(begins)
    expect(fragment.text.trimEnd().split('\n').at(-1)).toMatch(ends)
    expect((fragment.text.match(/^```/gm) ?? []).length % 2).toBe(0)
  }
})
