import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import packageJson from '../../cli/package.json' with { type: 'json' }
import { AgentsDatastores } from '../../client/src/index.ts'
import { commandLine, commandProcess, silentUrl, TerminalRun } from '../support/command-line.ts'
import { root } from '../support/contract.ts'
import { sendAnswer } from '../support/chat-answers.ts'
import { pdfOf } from '../support/documents/pdf.ts'
import { Provider } from '../support/provider.ts'
import { passOn, startScripted, type Step } from '../support/scripted.ts'
import { openServer, startServer, temporaryDirectory, testKey } from '../support/server.ts'
import { makeDatastore } from '../support/things.ts'

const { url } = await startServer()
const client = new AgentsDatastores({ baseUrl: url, apiKey: testKey })
const { id } = await client.createDatastore({ name: 'library' })
await client.upsertDocuments(id, {
  documents: [
    {
      text: 'The library opens at nine in the morning.',
      name: 'hours.md',
      metadata: { source: 'docs/hours.md', custom_id: 'main-street' },
    },
    { text: 'Books may be kept for four weeks.', metadata: { lang: 'en' } },
  ],
})
const run = (...words: string[]) => commandLine(url, words)
const question = ['when', 'does', 'the', 'library', 'open']

test('a query is readable, and JSON for programs', async () => {
  const { code, stdout } = await run('query', 'library', ...question)
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^1\. docs\/hours\.md {2}0\.\d{3}\n {3}The library opens at nine in the morning\.\n\n2\. src_/,
  )
  const filter = '{"type": "eq", "key": "lang", "value": "en"}'
  const words = ['query', 'library', 'books', '--top-k', '1', '--mode', 'keyword', '--json']
  const found = JSON.parse((await run(...words, '--filter', filter)).stdout)
  expect(found).toMatchObject([
    { text: 'Books may be kept for four weeks.', highlights: [{ start: 0 }] },
  ])
  expect((await run('query', id, 'books', '--custom-id', 'nobody')).stdout).toBe(
    'Nothing was found.\n',
  )
})

test('a fragment of a file with pages names its page', { tags: 'deep' }, async () => {
  const manuals = await client.createDatastore({ name: 'manuals' })
  const pdf = pdfOf([['Of opening hours.'], ['Of lending books.']])
  const file = new File([new Uint8Array(pdf)], 'manual.pdf')
  await client.uploadFile(manuals.id, { file })
  const { stdout } = await run('query', 'manuals', 'lending', 'books', '--top-k', '1')
  expect(stdout).toMatch(/^1\. manual\.pdf, page [12] {2}0\.\d{3}\n/)
})

test(
  'on a terminal the words that match are marked, unless NO_COLOR is set',
  { tags: 'deep' },
  async () => {
    const words = ['query', 'library', ...question]
    const coloured = new TerminalRun(url, words)
    const plain = new TerminalRun(url, words, { env: { NO_COLOR: '1' } })
    expect([await coloured.code, await plain.code]).toEqual([0, 0])
    expect(coloured.seen).toContain('The \u001B[1m\u001B[33mlibrary')
    expect(plain.seen).toContain('The library opens')
    expect(plain.seen).not.toContain('\u001B')
  },
)

test('on a pipe nothing is coloured, also in CI', { tags: 'deep' }, async () => {
  const words = ['query', 'library', ...question]
  const { stdout } = await commandProcess(url, words, { env: { CI: '1' } })
  expect(stdout).toMatch(/^1\. docs\/hours\.md/)
  expect(stdout).not.toContain('\u001B')
})

test('what a document holds is no command to a terminal', { tags: 'deep' }, async () => {
  const hostile = await client.createDatastore({ name: 'hostile' })
  await client.upsertDocuments(hostile.id, {
    documents: [{ text: 'Red \u001B]0;title\u0007 herring.' }],
  })
  const words = ['query', 'hostile', 'herring']
  const shown = new TerminalRun(url, words)
  expect(await shown.code).toBe(0)
  expect(shown.seen).toContain('\uFFFD]0;title\uFFFD')
  expect((await run(...words)).stdout).toContain('\u001B]0;title\u0007')
})

test(
  'a datastore is asked by an agent that is made once, and names its sources',
  { tags: 'deep' },
  async () => {
    const first = await run('ask', 'library', ...question)
    expect(first).toMatchObject({
      code: 0,
      stdout:
        'The library opens at nine in the morning. [1]\n\n[1] docs/hours.md\n    "The library opens at nine in the morning."\n',
      stderr: expect.stringMatching(/^Made the agent library \(agt_[0-9a-f]+\)/),
    })
    const second = await run('ask', 'library', ...question, '--json', '--no-store')
    expect(second.stderr).toBe('')
    expect(JSON.parse(second.stdout)).toMatchObject({ answered: true, conversationId: null })
    expect((await run('ask', id, ...question)).stderr).toBe('')
    expect(await run('ask', 'nobody', ...question)).toMatchObject({
      code: 1,
      stderr: 'There is no agent and no datastore named "nobody".\n',
    })
  },
)

test('a model’s numbers are those of the list below, in every output', async () => {
  const provider = await Provider.start()
  const other = await startServer({ chat: provider.chat })
  const asked = new AgentsDatastores({ baseUrl: other.url, apiKey: testKey })
  const made = await asked.createDatastore({ name: 'library' })
  const hours = 'The library opens at nine.'
  const fees = 'The library is open to all who pay five euros.'
  const documents = [hours, fees].map((text, n) => ({ text, name: `${n}.md` }))
  await asked.upsertDocuments(made.id, { documents })
  provider.chatBehaviour = (call, response) =>
    sendAnswer(call, response, 'According to [2], it costs five euros. It opens at nine [1][2].')
  const words = ['ask', 'library', ...question]
  const { stdout: json } = await commandLine(other.url, [...words, '--json'])
  const { sources } = JSON.parse(json)
  expect(JSON.parse(json).citations.map(({ source }: { source: number }) => source)).toEqual([
    1, 0, 1,
  ])
  const [first, second] = sources.map((one: { datasource_name: string }) => one.datasource_name)
  const { stdout: piped } = await commandLine(other.url, words)
  const terminal = new TerminalRun(other.url, words, { env: { NO_COLOR: '1' } })
  expect(await terminal.code).toBe(0)
  for (const shown of [piped, terminal.seen.replaceAll('\r', '')]) {
    expect(shown).toContain('According to [2], it costs five euros. It opens at nine [1][2].\n')
    expect(shown.match(/^\[\d\] .*/gm)).toEqual([`[1] ${first}`, `[2] ${second}`])
  }
})

test('an agent without a datastore is asked with a hint', async () => {
  await client.createAgent({ name: 'bare', description: '' })
  const hint =
    'The agent bare has no datastore to answer from; agents update --datastore gives it one.\n'
  expect(await run('ask', 'bare', ...question)).toMatchObject({ code: 0, stderr: hint })
})

test('the agent that ask made answers from the datastore that has its name by now', async () => {
  const { id: first } = await client.createDatastore({ name: 'anew' })
  await run('ask', 'anew', ...question)
  await client.deleteDatastore(first)
  const { id: second } = await client.createDatastore({ name: 'anew' })
  await client.upsertDocuments(second, { documents: [{ text: 'The library opens at noon.' }] })
  const joined = `The agent anew had no datastore to answer from, and answers from anew (${second}) now.\n`
  const again = await run('ask', 'anew', ...question)
  expect([again.stdout, again.stderr]).toEqual([expect.stringContaining('noon'), joined])

  await client.updateDatastore(second, { name: 'archive' })
  const { id: third } = await client.createDatastore({ name: 'anew' })
  for (const word of ['anew', third]) {
    const refused = await run('ask', word, ...question)
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toContain(
      `The agent anew answers from ${second}, not from the datastore anew, ${third}.`,
    )
  }
})

test('an agent that does not know the datastore of its name is told of', async () => {
  const { id: pool } = await client.createDatastore({ name: 'pool' })
  const agent = await client.createAgent({ name: 'pool', description: 'Knows the library.' })
  const knowledge = { datastoreIds: [id] }
  await client.putKnowledge(agent.id, knowledge)
  expect(await run('ask', 'pool', ...question)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('at nine'),
    stderr: expect.stringMatching(
      `^The agent pool answers, but not from the datastore pool, ${pool};`,
    ),
  })
  const { key } = await client.createKey({
    name: 'agents alone',
    scopes: ['agents:query', 'agents:read'],
  })
  expect((await run('ask', 'pool', ...question, '--key', key)).stderr).toBe('')
  await client.putKnowledge(agent.id, { datastoreIds: [id, pool] })
  expect((await run('ask', 'pool', ...question)).stderr).toBe('')
})

test('a key that may only ask is told to give the id of an agent', async () => {
  const { key } = await client.createKey({ name: 'website', scopes: ['agents:query'] })
  const { code, stderr } = await run('ask', 'library', ...question, '--key', key)
  expect(code).toBe(1)
  expect(stderr).toContain('Give the id of the agent: this key may not look for its name.')
})

test('agents are made, shown, changed and deleted', async () => {
  const made = await run('agents', 'create', 'Librarian', '--datastore', 'library')
  expect(made.stdout).toMatch(/^agt_[0-9a-f]+\n$/)
  const words = ['--description', 'Knows books.', '--visibility', 'public', '--temperature', '0.5']
  words.push('--override', 'topK', 'minScore')
  expect((await run('agents', 'update', 'Librarian', ...words)).code).toBe(0)
  const shown = JSON.parse((await run('agents', 'show', 'Librarian', '--json')).stdout)
  expect(shown).toMatchObject({
    id: made.stdout.trim(),
    description: 'Knows books.',
    visibility: 'public',
    temperature: 0.5,
    knowledge: { datastoreIds: [id], overrides: ['topK', 'minScore'] },
  })
  expect((await run('agents', 'update', 'Librarian', '--no-override')).code).toBe(0)
  const { knowledge } = JSON.parse((await run('agents', 'show', 'Librarian', '--json')).stdout)
  expect(knowledge).toMatchObject({ datastoreIds: [id], overrides: [] })
  expect((await run('agents', 'list')).stdout).toMatch(/\tLibrarian\tpublic\tKnows books\.$/m)
  await client.createAgent({ name: 'Librarian', description: '' })
  const ambiguous = await run('agents', 'delete', 'Librarian')
  expect([ambiguous.code, ambiguous.stderr]).toEqual([1, expect.stringContaining(shown.id)])
  const kept = await run('agents', 'delete', shown.id)
  expect([kept.code, kept.stderr]).toEqual([2, expect.stringContaining('--yes')])
  expect((await run('agents', 'delete', shown.id, '--yes')).stdout).toBe('Deleted Librarian.\n')
  expect((await run('agents', 'update', 'Librarian')).code).toBe(2)
})

test.each([
  [
    2,
    ['--visibility', 'public'],
    (agent: string) => client.updateAgent(agent, { description: 'Of a colleague.' }),
  ],
  [
    4,
    ['--override', 'topK'],
    (agent: string) => client.putKnowledge(agent, { datastoreIds: [id] }),
  ],
])(
  'an agent that changes before request %i of an update is not overwritten',
  async (at, words, change) => {
    const { id: agent } = await client.createAgent({ name: 'Shared', description: '' })
    const changing: Step = async (...call) => {
      await change(agent)
      await passOn(url)(...call)
    }
    const steps = Array.from({ length: at - 1 }, () => passOn(url))
    const between = await startScripted(...steps, changing, passOn(url))
    const updated = await commandLine(between.url, ['agents', 'update', agent, ...words])
    const stderr =
      'Shared has changed meanwhile. Look at it with agents show, and update it again.\n'
    expect(updated).toEqual({ code: 1, stdout: '', stderr })
    expect((await run('agents', 'update', agent, ...words)).code).toBe(0)
  },
)

test('datastores are made, shown and deleted, not by mistake', async () => {
  const made = await run('datastores', 'create', 'passing', '--fragment-length', '500')
  expect(made.stdout).toMatch(/^dst_[0-9a-f]+\n$/)
  expect((await run('datastores', 'list')).stdout).toContain(`${made.stdout.trim()}\tpassing\t`)
  expect((await run('datastores', 'show', 'library')).stdout).toMatch(/^documents\t2$/m)
  expect((await run('datastores', 'show', 'passing')).stdout).toMatch(/^fragment length\t500$/m)
  const kept = await run('datastores', 'delete', 'passing')
  expect([kept.code, kept.stderr]).toEqual([2, expect.stringContaining('--yes')])
  expect((await run('datastores', 'delete', 'passing', '--yes')).code).toBe(0)
  expect((await run('datastores', 'show', 'passing')).code).toBe(1)
})

test('a datastore whose documents cannot be read is told of, and deleted', async () => {
  const dataUri = await temporaryDirectory()
  const first = await openServer({ dataUri })
  const broken = await makeDatastore(first.client, 'broken')
  await makeDatastore(first.client, 'empty')
  await first.close()
  await rm(join(dataUri, `fragments_${broken}.lance`), { recursive: true })
  const second = await openServer({ dataUri })
  onTestFinished(second.close)
  const datastores = (...words: string[]) => commandLine(second.url, ['datastores', ...words])
  expect((await datastores('list')).stdout).toMatch(
    /\tbroken\tdocuments that cannot be read\t.*\n.*\tempty\t0 documents\t/,
  )
  const kept = await datastores('delete', 'broken')
  expect([kept.code, kept.stderr]).toEqual([
    2,
    'This deletes broken with documents that cannot be read: say --yes.\n',
  ])
  const deleted = await datastores('delete', 'broken', '--yes')
  expect([deleted.code, deleted.stdout]).toEqual([
    0,
    'Deleted broken with documents that cannot be read.\n',
  ])
  expect((await datastores('list')).stdout).not.toContain('broken')
})

test('a datastore is renamed, and one name for two is told of', async () => {
  const first = (await run('datastores', 'create', 'draft')).stdout.trim()
  const renamed = await run('datastores', 'rename', 'draft', 'final')
  expect(renamed).toMatchObject({ code: 0, stdout: 'Renamed draft to final.\n', stderr: '' })
  expect(await client.getDatastore(first)).toMatchObject({ name: 'final' })
  expect((await run('datastores', 'rename', first, 'final')).stderr).toBe('')
  const second = await run('datastores', 'create', 'final')
  expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining(first) })
  expect((await run('datastores', 'delete', 'final', '--yes')).code).toBe(1)
  await run('datastores', 'rename', first, 'draft')
  const again = await run('datastores', 'rename', first, 'final')
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining(second.stdout.trim()) })
  expect((await run('datastores', 'rename', 'none', 'final')).code).toBe(1)
  const blank = [
    ['datastores', 'rename', first, ''],
    ['datastores', 'create', ' '],
    ['agents', 'create', '\t'],
    ['ingest', '', join(root, 'README.md'), '--create'],
  ]
  for (const words of blank)
    expect(await run(...words)).toMatchObject({ code: 2, stderr: 'The name is blank.\n' })
})

test('keys are made, listed and revoked', async () => {
  const words = ['keys', 'create', '--name', 'website', '--scopes', 'datastores:read', '--json']
  const made = JSON.parse((await run(...words)).stdout)
  expect((await run('datastores', 'list', '--key', made.key)).code).toBe(0)
  const forbidden = await run('datastores', 'create', 'x', '--key', made.key)
  expect([forbidden.code, forbidden.stderr]).toEqual([
    1,
    expect.stringContaining('datastores:write'),
  ])
  expect((await run('keys', 'revoke', made.id)).stdout).toContain('revoked 20')
})

test.each(['--workspace', '--expires'])('an empty %s makes no key', async (option) => {
  const create = ['keys', 'create', '--name', 'unset', '--scopes', 'datastores:read']
  const { code, stderr } = await run(...create, option, '')
  expect([code, stderr]).toEqual([1, expect.stringContaining(option)])
})

test('an agent whose datastore is not there is not made', async () => {
  const unknown = `dst_${'0'.repeat(24)}`
  const made = await run('agents', 'create', 'Homeless', '--datastore', unknown)
  expect(made).toMatchObject({ code: 1, stderr: expect.stringContaining('is no datastore') })
  expect((await run('agents', 'list')).stdout).not.toContain('Homeless')
})

test('the key in use is not revoked by mistake', async () => {
  const words = ['keys', 'create', '--name', 'own', '--scopes', 'keys:admin', '--json']
  const own = JSON.parse((await run(...words)).stdout)
  const revoke = (...others: string[]) => run('keys', 'revoke', own.id, '--key', own.key, ...others)
  const kept = await revoke()
  expect([kept.code, kept.stdout, kept.stderr]).toEqual([
    2,
    '',
    `This revokes ${own.id}, the key that you use: say --yes.\n`,
  ])
  expect((await run('keys', 'list', '--key', own.key)).code).toBe(0)
  expect((await revoke('--yes')).stdout).toContain('revoked 20')
})

test.each<[string, string[]]>([
  ['nothing', []],
  ['an unknown command', ['digest']],
  ['no words', ['query', 'library']],
  ['an unknown option', ['query', 'library', 'x', '--loud']],
  ['a mode that is none', ['query', 'library', 'x', '--mode', 'guess']],
  ['a number that is none', ['query', 'library', 'x', '--top-k', 'many']],
  ['a filter that is no JSON', ['query', 'library', 'x', '--filter', 'lang=de']],
  [
    'a number of a filter that would become another',
    ['query', 'library', 'x', '--filter', '{"type":"eq","key":"order","value":9007199254740993}'],
  ],
  ['standard input without a key', ['ingest', 'library', '-']],
  ['standard input beside a folder', ['ingest', 'library', '-', 'docs', '--as', 'a']],
  ['a key without standard input', ['ingest', 'library', 'docs', '--as', 'a']],
  ['an unknown scope', ['keys', 'create', '--name', 'x', '--scopes', 'all']],
])('%s is a mistake in the command, exit 2', async (_, words) => {
  const { code, stdout, stderr } = await run(...words)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).not.toBe('')
})

test.each(
  ['ask', 'query'].flatMap((command) =>
    ['-c', '-v', '--version'].map((word): [string, string] => [command, word]),
  ),
)('a word of %s like the option %s is told to be quoted', async (command, word) => {
  const told = `error: unknown option '${word}'\nIf it is a word of a question, put the whole question in quotes.\n`
  const asked = await run(command, 'library', 'What', 'does', 'grep', word, 'do')
  expect(asked).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(told) })
  expect((await run('keys', 'list', word)).stderr).not.toContain('quotes')
  expect((await run(command, 'library', `What does grep ${word} do`)).code).toBe(0)
})

test.each(['query', 'ask'])(
  'behind -- each word is one to %s, as its help says',
  async (command) => {
    expect((await run(command, '--help')).stdout).toContain(
      `${command} library -- what does --json do\n`,
    )
    const options = ['-h', '--json', '--key', '--url', '-c', '--no-store', '--']
    const behind = await run(command, 'library', '--', ...question, ...options)
    expect(behind).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[^{[]*opens at nine/) })
  },
)

test.each(['-v', '--version', 'version'])('%s prints the version', async (word) => {
  expect(await commandProcess(url, [word])).toEqual({
    code: 0,
    stdout: `${packageJson.version}\n`,
    stderr: '',
  })
})

test('what fails says why, exit 1', async () => {
  const keyless = await commandLine(url, ['datastores', 'list'], { env: { API_KEY: '' } })
  expect([keyless.code, keyless.stderr]).toEqual([1, expect.stringContaining('API_KEY')])
  const wrong = await run('datastores', 'list', '--key', 'wrong')
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('key')])
  const printed = await run('datastores', 'list', '--key', 'ads_initial_…')
  expect([printed.code, printed.stderr]).toEqual([
    1,
    expect.stringMatching(/^The API key has .*\n$/),
  ])
  const invalid = await run('query', 'library', 'x', '--filter', '{"type": "like"}')
  expect([invalid.code, invalid.stderr]).toEqual([1, expect.stringMatching(/^--filter /)])
  const nested = '{"type": "eq", "key": "lang"}'
  const list = await run('documents', 'list', 'library', '--filter', nested)
  expect([list.code, list.stderr]).toEqual([1, '--filter /value is required.\n'])
  const one = await run('query', 'library', 'x', '--top-k', '101')
  expect([one.code, one.stderr]).toEqual([1, '--top-k must be <= 100.\n'])
  const many = await run('query', 'library', 'x', '--top-k', '10000')
  expect([many.code, many.stderr]).toEqual([1, '--top-k must be <= 100.\n'])
  const two = await run('query', 'library', ' ', '--min-score', '2')
  expect([two.code, two.stderr]).toEqual([
    1,
    expect.stringMatching(/^\/query [^(]*\. --min-score [^(]*\.\n$/),
  ])
  const silent = await silentUrl()
  const noAddress = await run('datastores', 'list', '--url', 'localhost:3000')
  expect([noAddress.code, noAddress.stderr]).toEqual([
    1,
    expect.stringContaining('"localhost:3000"'),
  ])
  const away = await run('datastores', 'list', '--url', silent)
  expect([away.code, away.stderr]).toEqual([1, expect.stringContaining(silent.slice(7))])
})

test('a reader that has enough ends it quietly', { tags: 'deep' }, async () => {
  const script = `"$NODE" "$MAIN" export library | head -c 1`
  const env = { ...process.env, SERVICE_URL: url, API_KEY: testKey, NODE: process.execPath }
  const MAIN = join(root, 'cli/src/main.ts')
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], {
    env: { ...env, MAIN },
  })
  expect([stdout, stderr]).toEqual(['{', ''])
})

test.runIf(existsSync('/dev/full'))('output that has no room is told in one line', async () => {
  const env = { ...process.env, SERVICE_URL: url, API_KEY: testKey }
  const main = join(root, 'cli/src/main.ts')
  const script = `"${process.execPath}" "${main}" export library > /dev/full`
  const failed = await promisify(execFile)('bash', ['-c', script], { env }).catch((error) => error)
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The output cannot be written: ENOSPC.*\n$/),
  })
})

test('every command has a help with its options', async () => {
  const { stdout } = await run('--help')
  for (const command of ['ingest', 'ask', 'query', 'agents', 'keys', 'export', 'import']) {
    expect(stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'))
    const help = await run(command, '--help')
    expect([help.code, help.stdout]).toEqual([0, expect.stringMatching(/\nExamples:\n/)])
  }
})

test(
  'bash completes commands, options and choices, by the script that is printed',
  { tags: 'deep' },
  async () => {
    const script = `
    agents-datastores() { "$NODE" "$MAIN" "$@"; }
    source <(agents-datastores completion bash)
    for line in 'que' 'query --mode ' 'agents de' 'ingest library --inc' 'ingest library '; do
      read -ra COMP_WORDS <<< "agents-datastores $line"
      [[ $line == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _agents_datastores
      echo "\${COMPREPLY[*]}"
    done`
    const env = { PATH: process.env.PATH, NODE: process.execPath }
    const MAIN = join(root, 'cli/src/main.ts')
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: { ...env, MAIN } })
    expect(stdout).toBe('query\nhybrid vector keyword\ndelete\n--include\n\n')
  },
)

test('where two datastores have one name, each is told with what tells it from the other', async () => {
  const made = await Promise.all(
    ['of the branch', ''].map((description) =>
      client.createDatastore({ name: 'namesake', description }),
    ),
  )
  const { code, stderr } = await commandLine(url, ['query', 'namesake', 'hours'])
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^More than one datastore is named "namesake"\. Give one of these ids instead:\n/,
  )
  for (const one of made) {
    const { createdAt, description } = one
    const age = `made on ${createdAt.slice(0, 10)}`
    const told = [one.id, '0 documents', age, ...(description && [description])].join(', ')
    expect(stderr.split('\n')).toContain(`  ${told}`)
  }
})

test('documents are listed and deleted by their metadata, not by mistake', async () => {
  const { id: marked } = await client.createDatastore({ name: 'marked' })
  for (const [n, lang] of ['de', 'en', 'de'].entries()) {
    await client.putDocument(marked, `${n}.md`, { text: `Text of ${n}.`, metadata: { lang } })
  }
  const filter = ['--filter', '{"type": "eq", "key": "lang", "value": "de"}']
  const inside = ['documents', 'list', 'marked']
  expect((await run(...inside, ...filter)).stdout).toMatch(/^0\.md\t.*\n2\.md\t.*\n$/)
  const remove = (...words: string[]) => run('documents', 'delete', 'marked', ...words)
  expect((await remove()).code).toBe(2)
  expect((await remove('1.md', ...filter)).code).toBe(2)
  expect(await remove(...filter)).toMatchObject({
    code: 2,
    stderr: 'This deletes 2 documents: say --yes.\n',
  })
  expect(await remove(...filter, '--yes')).toMatchObject({
    code: 0,
    stdout: 'Deleted 2 documents.\n',
  })
  expect((await run(...inside)).stdout).toMatch(/^1\.md\t.*\n$/)
  expect((await remove('1.md', '1.md')).code).toBe(0)
})

test('a key that no address holds is shown, imported and deleted', async () => {
  const line = '{"key":"..","name":"","metadata":null,"text":"Two dots."}\n'
  const imported = await commandLine(url, ['import', 'dots', '-', '--create'], { input: line })
  expect(imported).toMatchObject({ code: 0, stdout: '1 document imported.\n' })
  expect((await run('export', 'dots')).stdout).toBe(line)
  const on = (command: string, key: string) => run('documents', command, 'dots', key)
  expect(await on('show', '..')).toMatchObject({ code: 0, stdout: 'Two dots.\n' })
  expect(await on('show', '')).toMatchObject({ code: 1, stderr: 'There is no document "".\n' })
  expect(await on('delete', '..')).toMatchObject({ code: 0, stdout: 'Deleted ...\n' })
  expect((await on('delete', '..')).code).toBe(1)
  expect((await run('keys', 'revoke', '..')).code).toBe(2)
})
