import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeLearnedAgent } from '../support/things.ts'

const { client } = await joinServer()

async function ask(id: string, query: string) {
  const body = { query, store: false }
  return (await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })).data
}

const meanings = {
  depth: '-maxdepth levels\n\t      Descends at most so many shelves.',
  age: '-mtime n\n\t      Pans last scrubbed n days ago.',
  null: '-0, --null\n\t      Pans are parted by a null character.',
  check: '-n, --[no-]check\n\t      Looks at each pan first.',
  redo: '--redos <num>\n\t      Scrubs as often.  When\n\t      --rinse  is used, the limit is 50 redos.',
  rinse: '-r\n       --rinse\n\t   Turns on rinsing.',
  symmetric: '--symmetric\n       -c     Scrubs both sides.',
  raw: '○   --raw / -w:\n\n\t   Writes no quotation marks.',
  exclude: '--exclude=PAN\n\t      Leaves pans out.',
}
const others = `EXAMPLES
       $ scrub shelves -maxdepth 0 -mtime 0 --null

       To scrub at most -maxdepth levels with scrub, or to --redo what scrub does, name -mtime in
       scrub first.

       Other things
\t      The  tests  -atime,  -depth, and
\t      -mtime, -nogroup,  -print,  -size are all known to scrub.

       --xattrs-exclude=PAN
\t      Leaves pans out of scrub --exclude.
`
const manual = `OPTIONS
       ${meanings.depth}

       ${meanings.age}

       ${meanings.null}

       ${meanings.check}

       ${meanings.redo}

       ${meanings.symmetric}

       ${meanings.raw}

       ${meanings.exclude}

       --polish
	      Polishes each pan with ${'a cloth, '.repeat(30)}and then puts it back.

   Rinsing Options
       ${meanings.rinse}

${others}`
const { agent } = await makeLearnedAgent(client, [{ text: manual, name: 'scrub' }])

test.each([
  ['What does -maxdepth do in scrub?', meanings.depth],
  ['What does scrub -mtime do?', meanings.age],
  ['What does scrub -0 do?', meanings.null],
  ['What does the --no-check option of scrub do?', meanings.check],
  ['How many redos does scrub allow?', meanings.redo],
  ['What does scrub -r do?', meanings.rinse],
  ['What does scrub -c do?', meanings.symmetric],
  ['What does scrub -w do?', meanings.raw],
  ['What does scrub --exclude do?', meanings.exclude],
])('an option is answered with what it means: %s', async (asked, meaning) => {
  const { answer } = await ask(agent, asked)
  expect(answer.replace('OPTIONS\n       ', '')).toBe(meaning)
})

test.each([
  'What does scrub --frobnicate do?',
  'What does the --shelves option of scrub do?',
  'What does -Z do in scrub?',
  'What does scrub -9 do?',
])('an option that no text has is declined: %s', async (asked) => {
  expect((await ask(agent, asked)).answered).toBe(false)
})

const tools = Array.from({ length: 120 }, (_, n) => ({
  name: `tool-${n}`,
  text: `tool-${n} --quiet${n} sorts the drawers of room ${n}. Scour is another tool.`,
}))
const silent = '-s, --silent\n       Says nothing.'
const uses = Array.from({ length: 90 }, (_, n) => `Scour's use of scour's pan ${n}. `.repeat(20))
const { agent: ofMany } = await makeLearnedAgent(client, [
  { name: 'scour', text: `# Scour\n\n${uses.join('\n\n')}\n\n       ${silent}` },
  { name: 'polish', text: '--keep-shape\n       Keeps pans in shape.' },
  {
    name: 'rub',
    text: '# Rub\n\nWhat does scour -s do: scour.\n\n       -s\n       Sorts pans as scour does.',
  },
  ...tools,
])

test('an option is found by its letter among many fragments of its program', async () => {
  expect((await ask(ofMany, 'What does scour -s do?')).answer).toBe(silent)
})

test('an option of another program is no answer', async () => {
  expect((await ask(ofMany, 'What does polish --keep-shape do?')).answered).toBe(true)
  expect((await ask(ofMany, 'What does scour --keep-shape do?')).answered).toBe(false)
})

test.each([
  ['-When does the library open?', 'The library opens at nine.'],
  ['library hours -sunday', 'On Sunday the library is closed: its hours are from Monday.'],
  ['Was kostet der Eintritt -Kinder', 'Der Eintritt kostet zwei Euro, für Kinder nichts.'],
  ['The museum -who built it?', 'Anna Meier built the museum.'],
])('where no text says the meaning of an option, a sign is a dash: %s', async (query, text) => {
  const { agent: id } = await makeLearnedAgent(client, [text, 'The garden belongs to the town.'])
  expect((await ask(id, query)).answer).toBe(text)
})

test.each([
  ['-q', '- `-q`: Says nothing.'],
  ['-v', '- `-v, --verbose`: Prints each pan.'],
])('an item of a list tells what %s means', async (option, meaning) => {
  const items = [
    '- `-c, --coarse`: Scrubs hard.',
    '- `-q`: Says nothing.',
    '- `-v, --verbose`: Prints each pan.',
  ]
  const text = `# scrub\n\nScrubs pans.\n\n## Options\n\n${items.join('\n')}\n`
  const one = await makeLearnedAgent(client, [{ name: 'scrub.md', text }])
  expect((await ask(one.agent, `What does ${option} do?`)).answer).toContain(meaning)
})

test('a line of a sentence that ends with an option is not its meaning', async () => {
  const meaning = '-L, --location\n              Goes on to where the pan has moved.'
  const mention =
    'Is meaningful only with\n              -L, --location.\n\n              See also -L, --location.'
  const filler = 'The pans of the shop are scrubbed by hand each night. '.repeat(30)
  const one = await makeLearnedAgent(client, [
    { name: 'scrub.1', text: `${filler}\n\n       ${meaning}\n` },
    { name: 'scrub.1', text: mention },
  ])
  expect((await ask(one.agent, 'What does -L do?')).answer).toContain(meaning)
})
