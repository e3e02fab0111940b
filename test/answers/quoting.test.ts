import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeLearnedAgent } from '../support/things.ts'

const { client } = await joinServer()

async function ask(id: string, query: string, conversationId?: string) {
  const body = { query, ...(conversationId && { conversationId }) }
  return (await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })).data
}

test('a long block of code has no fence without its partner', async () => {
  const lines = Array.from({ length: 60 }, (_, n) => `  scrub(${n}, 'pan', 'pot')\n`).join('\n')
  const text = `To frobnicate the pan, run:\n\n\`\`\`js\n${lines}\`\`\``
  const { agent } = await makeLearnedAgent(client, [text])
  const { answer } = await ask(agent, 'How do I frobnicate the pan?')
  expect(answer.split('```').length % 2).toBe(1)
})

test('a row of fields with line breaks in quotation marks is one row', async () => {
  const rows = ['Keld,"by the\nbridge",3.50', 'Muker,"behind\nthe church",4.50', 'Reeth,green,5.50']
  const text = `Stop,Place,Fare\n${rows.join('\n')}`
  const { agent } = await makeLearnedAgent(client, [{ text, name: 'stops' }])
  expect((await ask(agent, 'What is the fare of Muker?')).answer).toBe(
    `Stop,Place,Fare\n${rows[1]}`,
  )
})

test('a question that goes on is not answered with a word that only ends like its own', async () => {
  const { agent } = await makeLearnedAgent(client, [
    'On Sundays the library is closed.',
    'The pool opens at seven.',
  ])
  const first = await ask(agent, 'When is the library closed on Sundays?')
  expect(first.answered).toBe(true)
  const { answered } = await ask(agent, 'and on Mondays?', first.conversationId!)
  expect(answered).toBe(false)
})

test.each([
  ['a list of links', '- [Mooring lake depth](a.md)\n- [Lake tides](b.md)\n- [Boats](c.md)'],
  ['a list of HTML links', '<a href="a.md">Mooring lake depth</a> <a href="b.md">Lake tides</a>'],
])('where only %s has words of the question, it is declined', async (_, part) => {
  const text = `${part}\n\nThe harbour office sells tickets from ten to four.`
  const { agent } = await makeLearnedAgent(client, [text])
  expect((await ask(agent, 'What is the mooring lake depth?')).answered).toBe(false)
  expect((await ask(agent, 'Who sells tickets?')).answered).toBe(true)
})

const manual = `SCRUB(1)

OPTIONS
       -v, --invert
              Cleans all but the named pans. If used with
              -noisy, says so.

       -V, --version
              Prints the number of scrub and exits.

       -i     Asks before each pan.
`
const help = `Usage: polish [options]

 -f, --fork <name> Polishes one of the forks
     --from <place> Begins there
 -i, --ink         Asks for scrub and ink, before each pan
 -s, --spoon       Polishes spoons
 -S, --soup        Polishes ladles`

test.each([
  ['What does scrub -v do?', manual.slice(manual.indexOf('-v,'), manual.indexOf('\n\n       -V'))],
  [
    'What does the -V option of scrub do?',
    '-V, --version\n              Prints the number of scrub and exits.',
  ],
  ['scrub -i', '-i     Asks before each pan.'],
  ['What does scrub -I do?', undefined],
  [
    'How many pans does scrub -q once?',
    '- Run scrub -q once for two pans.\n- Then run scrub -v, which cleans all.',
  ],
  ['What does rinse -v do?', '-v\n--verbose\n    Tells of each pan.'],
  [
    'Why does scrub -v fail at a pan of copper that is cold and wet?',
    'A pan of copper that is cold and wet makes scrub fail.',
  ],
  ['What does polish -f do?', '-f, --fork <name> Polishes one of the forks'],
  ['polish -i', '-i, --ink         Asks for scrub and ink, before each pan'],
  ['polish -S', '-S, --soup        Polishes ladles'],
])('an option is answered with its own meaning: %s', async (asked, meaning) => {
  const { agent } = await (options ??= makeLearnedAgent(client, [
    { text: manual, name: 'scrub' },
    { text: help, name: 'polish' },
    '- Run scrub -q once for two pans.\n- Then run scrub -v, which cleans all.',
    { text: '-v\n--verbose\n    Tells of each pan.\n\n-x\n    Rinses.', name: 'rinse' },
    'A pan of copper that is cold and wet makes scrub fail.',
  ]))
  const { answer } = await ask(agent, asked)
  if (meaning === undefined) expect(answer).not.toMatch(/^-\p{L}/u)
  else expect(answer.replace('OPTIONS\n       ', '')).toBe(meaning)
})
let options: ReturnType<typeof makeLearnedAgent> | undefined

test.each([
  [
    'tabs for blanks',
    'What does the polisher of Keld do?',
    'The polisher of Keld\tpolishes every fork\n       that it is given, and then\tthe spoons, and\n       rests.',
  ],
  [
    'the foot of a manual',
    'polish',
    'Polishes forks and spoons.\n\nKeld tools 9.1\tSeptember 2022\tPOLISH(1)',
  ],
])('a text with %s is quoted in whole sentences', async (_, asked, text) => {
  const { agent } = await makeLearnedAgent(client, [text])
  expect((await ask(agent, asked)).answer).toBe(text.split('\n\n')[0])
})

const phones = ['name\tcity\tphone', 'Ann\tRome\t+39 06 1', 'Bob\tOslo\t+47 2', 'Cem\tBonn\t+49 3']
const notes = [
  'id\tname\tphone\tmail\tnote',
  '1\tAnn\t\t\t',
  '2\tBob\t55\tb@x.example\thello',
  '3\tZoe\t77\t\t',
]
const capitals = [
  'country\tcapital\tlanguage',
  '\tRome\tItalian',
  'Norway\tOslo\tNorwegian',
  'Poland\tWarsaw\tPolish',
]

test.each([
  ['a sign', phones, 'What is the phone of Bob?', 2],
  ['empty cells at its end', notes, 'What is the phone of Zoe?', 3],
  ['an empty cell above it', capitals, 'What is the capital of Norway?', 2],
])('a row with tabs and %s is quoted with its head', async (_, rows, asked, row) => {
  const { agent } = await makeLearnedAgent(client, [{ text: rows.join('\n'), name: 'table.tsv' }])
  expect((await ask(agent, asked)).answer).toBe(`${rows[0]}\n${rows[row]!.trimEnd()}`)
})

test('a row whose last fields are left out is a row', async () => {
  const rows = [
    'version,codename,series,created,release,eol',
    '4.10,Warty Warthog,warty,2004-03-05,2004-10-20',
    '22.04,Jammy Jellyfish,jammy,2021-10-14,2022-04-21,2027-06-01',
    '22.10,Kinetic Kudu,kinetic,2022-04-21,2022-10-20',
  ]
  const { agent } = await makeLearnedAgent(client, [{ text: rows.join('\n'), name: 'ubuntu.csv' }])
  const { answer } = await ask(agent, 'What is the codename of version 22.04?')
  expect(answer).toBe(`${rows[0]}\n${rows[2]}`)
})

test('front matter is not quoted, also where it is a fragment of its own', async () => {
  const key = 'description: Loads variables of the environment from a file when a program starts.\n'
  const matter = `---\nname: loader\n${key.repeat(18)}---\n`
  const body = `# Loader\n\nTo load variables, call load() at the start.\n\n${'It reads a file. '.repeat(80)}`
  const { agent } = await makeLearnedAgent(client, [`${matter}\n${body}`])
  const { answer } = await ask(agent, 'How does the loader load variables of the environment?')
  expect(answer).toContain('call load()')
})

test.each([
  ['Use the question mark operator ? to return early from a function.', 'question mark operator'],
  ['Write ! before a macro. The mark (!) in Ruby changes a list in place.', 'mark in Ruby'],
  ['“Who goes there?” asked the sentry at the gate of Reeth.', 'sentry at the gate'],
])('a mark that is spoken of ends no sentence: %s', async (text, asked) => {
  const { agent } = await makeLearnedAgent(client, [text])
  const { answer } = await ask(agent, `What about the ${asked}?`)
  expect(text.endsWith(answer)).toBe(true)
  expect(answer).toMatch(/[?!]\S? \p{Ll}/u)
})

test.each([
  'Is it open? yes, the pool of Keld opens at seven.',
  'Is it open ? yes, the pool of Keld opens at seven.',
])('a sentence in small letters after a question stands by itself: %s', async (text) => {
  const { agent } = await makeLearnedAgent(client, [text])
  const { answer } = await ask(agent, 'When does the pool of Keld open?')
  expect(answer).toBe('yes, the pool of Keld opens at seven.')
})

test('an address with a query is quoted whole', async () => {
  const text =
    'Send the form at https://shop.example/refund?source=help&lang=en to ask for a refund, and keep the receipt.'
  const { agent } = await makeLearnedAgent(client, [text])
  const { answer } = await ask(agent, 'How do I ask for a refund with the form?')
  expect(answer).toBe(text)
})

test('what a question adds to the one before stands in the passage itself', async () => {
  const { agent } = await makeLearnedAgent(client, [
    'A single ticket for the bus costs 2.80 euros.\n\nThe bus runs every hour.',
    { name: 'museum', text: 'Photographs are allowed without flash.' },
  ])
  const first = await ask(agent, 'What does a ticket for the bus cost?')
  expect(first.answer).toContain('2.80')
  const next = await ask(agent, 'and photographs?', first.conversationId!)
  expect(next.answer).toBe('Photographs are allowed without flash.')
})

test('a question right above a passage holds what is added, too', async () => {
  const { agent } = await makeLearnedAgent(client, [
    'What does a ticket for the museum cost?\n\nA ticket for the museum costs 4 euros.',
    'Are photographs allowed in the museum?\n\nYes, without flash.',
  ])
  const first = await ask(agent, 'What does a ticket for the museum cost?')
  expect(first.answer).toContain('4 euros')
  const next = await ask(agent, 'and photographs?', first.conversationId!)
  expect(next.answer).toBe('Yes, without flash.')
})

const opens = 'The pool of Keld opens at seven.'

test.each([
  ['text right below front matter', `---\ntitle: The pool of Keld\n---\n${opens}`, opens],
  ['a list between rules', `---\n- ${opens}\n- It is warm.\n---\nMore.`, opens],
  ['a file of YAML', `---\nname: pool of Keld\nopens: at seven\n---\nname: bath\n`, 'at seven'],
  ['many odd lines', `---\n${'-: x\n'.repeat(90)}${opens}`, opens],
])('%s is quoted', async (_, text, quote) => {
  const { agent } = await makeLearnedAgent(client, [text])
  expect((await ask(agent, 'When does the pool of Keld open?')).answer).toContain(quote)
})

test('a quote of a long list ends with no number alone', async () => {
  const items = Array.from(
    { length: 20 },
    (_, n) => `1. Scrub pan ${n} of the frobnicated pans well`,
  )
  const { agent } = await makeLearnedAgent(client, [items.join('\n')])
  const { answer } = await ask(agent, 'How do I scrub frobnicated pans?')
  expect(answer.split('\n').length).toBeGreaterThan(5)
  expect(answer).toMatch(/pans well$/)
})

test('what AsciiDoc writes above the next section is not quoted', async () => {
  const text = `== Hours\n\n${opens}\n\n[#winter]\n[NOTE]\nCome early.`
  const { agent } = await makeLearnedAgent(client, [text])
  for (const question of ['When does the pool of Keld open?', 'Should I come early?']) {
    expect((await ask(agent, question)).answer).not.toMatch(/[[\]]/)
  }
})

test('a wall of pictures is not quoted', async () => {
  const links = ['Code', 'Text', 'Tests', 'Tools', 'Plans', 'Talks', 'Review', 'Care'].map(
    (title) => `<a href="https://x.example/commits?author=vale" title="${title}">C</a>`,
  )
  const picture = (n: number) =>
    `<td align="center" width="14.28%"><a href="https://x.example/vale"><img src="https://x.example/u/${n}?v=4?s=100" width="100px;" alt="Nora Vale ${n}"/><br /><sub><b>Nora Vale ${n}</b></sub></a><br />${links.join(' ')}</td>`
  const rows = [0, 1].map((row) => Array.from({ length: 7 }, (_, n) => picture(7 * row + n)))
  const wall = rows.map((cells) => `<tr>\n${cells.join('\n')}\n</tr>`).join('\n')
  const text = `# Scour\n\nScour cleans pans.\n\n<table>\n${wall}\n</table>\n`
  const { agent } = await makeLearnedAgent(client, [text])
  for (const question of ['Who is Nora Vale?', 'Nora Vale 5', 'What did Nora Vale 5 code?']) {
    const { answered, answer } = await ask(agent, question)
    expect(answered ? answer : '').not.toContain('width=')
  }
})

test('attributes and titles of AsciiDoc are not quoted in the place of a table', async () => {
  const rows = '|22\n|SSH\n\n|9090\n|Prometheus'
  const text = `= Network ports\n:toc:\n\n.Ports in use\n[options="header"]\n|===\n|Port |Service\n\n${rows}\n|===\n`
  const { agent } = await makeLearnedAgent(client, [text])
  for (const question of ['What is PORT?', 'Which network ports are in use?']) {
    const { answered, answer } = await ask(agent, question)
    expect(answered ? answer : '').not.toMatch(/:toc:|^\.Ports/m)
  }
})

test('an anchor does not part a heading from its text, and is not quoted', async () => {
  const section = (name: string, text: string) =>
    `### \`${name}\`\n<a id="x-${name}"></a>\n\n${text}\n`
  const text = [
    section('drainTimeout', '+ Default: `0` (no limit)\n\nThe longest that the pan may drain.'),
    section(
      'scrubTimeout',
      'Unlike `drainTimeout` and `soakTimeout`, it counts while the pan is scrubbed.',
    ),
    section('soakTimeout', '+ Default: `900`\n\nThe longest that the pan may soak.'),
  ].join('\n')
  const { agent } = await makeLearnedAgent(client, [text])
  const { answer, citations } = await ask(agent, 'What is drainTimeout?')
  expect(answer).toMatch(/^### `drainTimeout`\n\+ Default: `0`/)
  expect(answer).not.toContain('<a')
  for (const { quote } of citations) expect(text.slice(quote.start, quote.end)).toBe(quote.text)
})

test('a manual page is quoted by its name where the program is asked for', async () => {
  const { agent } = await makeLearnedAgent(client, [
    'NAME\n       tac - concatenate and print files in reverse\n\nDESCRIPTION\n       Write each FILE, last line first.',
  ])
  expect((await ask(agent, 'How do I print files in reverse?')).answer).toContain('tac - ')
  expect((await ask(agent, 'What does tac write?')).answer).toContain('last line first')
})

test('a list of questions above their answers is not quoted', async () => {
  const asked = [
    'How do I view pictures of the harbour?',
    'Who may moor?',
    'How do I pay for a berth?',
  ]
  const list = ['- About boats', ...asked.map((question) => `  - ${question}`)].join('\n')
  const answers = ['Press I in the menu to see them.', 'Members.', 'At the kiosk, in cash.']
  const text = asked.map((question, n) => `## ${question}\n\n${answers[n]}`).join('\n\n')
  const { agent } = await makeLearnedAgent(client, [`# Harbour\n\n${list}\n\n${text}`])
  const { answer } = await ask(agent, 'How do I view pictures of the harbour and pay for a berth?')
  expect(answer).not.toContain('- Who may moor?')
})

test.each([
  '<h1 align="center">Frobnicate</h1>',
  '<h1><b>Frobnicate</b></h1>\n<p><a href="#a"></a></p>',
  '# Frobnicate\n\n<img src="frobnicate.svg" align="right"\n     alt="What frobnicate does">',
])('a title in tags and a picture are not quoted alone: %s', async (title) => {
  const says = 'A small tool that makes pans clean.'
  const text = `${title}\n\n[Deutsch](de.md) | [Dansk](da.md)\n\n${says}`
  const { agent } = await makeLearnedAgent(client, [{ text, name: 'frobnicate' }])
  expect((await ask(agent, 'What does frobnicate do?')).answer).toBe(says)
})

test.each([
  ['Who wrote scour?', 'Written by Anna Meier.'],
  ['Who is the author of polish?', 'Ben Berg <ben@polish.example>'],
  ['Who wrote rinse?', undefined],
])('the authors of something are found however they are told: %s', async (query, said) => {
  const { agent } = await makeLearnedAgent(client, [
    {
      name: 'scour',
      text: 'SCOUR(1)\n\nDESCRIPTION\n       Cleans pans.\n\nAUTHOR\n       Written by Anna Meier.',
    },
    {
      name: 'polish',
      text: 'POLISH(1)\n\nDESCRIPTION\n       Shines.\n\nAUTHORS\n       Ben Berg <ben@polish.example>',
    },
    { name: 'rinse', text: 'RINSE(1)\n\nDESCRIPTION\n       Uses water.' },
  ])
  const { answered, answer } = await ask(agent, query)
  if (said === undefined) expect(answered ? answer : '').not.toContain('AUTHOR')
  else expect(answer).toContain(said)
})

const settings = [
  '#### [`scrub_language=<lang>`](#scrub_language)\n\n: The language of the labels. Two letters.',
  '#### [`scrub_languages=<list>`](#scrub_languages)\n\n: More languages than `scrub_language` to install.',
  'scrub.autowash::\n\tSet this to `true` to wash pans at night.',
  'scrub.eol::\n\tThe end of a line. Its value is ignored if `scrub.autowash` is set, whose default value is kept.',
  '## `--max-soak`\n\nThe longest that a pan soaks, in minutes.',
  '| Option | Since |\n| --- | --- |\n| --max-soak (-m) | 4.0 |\n| SCRUB_TIMEDOUT | 7.10 |',
  '## SCRUB_TIMEDOUT (28)\n\nThe pan soaked too long.',
]
test.each([
  ['What does scrub_language do?', 'The language of the labels.'],
  ['What does scrub_languages do?', 'More languages'],
  ['What is the default value of scrub.autowash?', 'wash pans at night'],
  ['What does --max-soak do?', 'in minutes'],
  ['What does SCRUB_TIMEDOUT mean?', 'soaked too long'],
])('a setting is told of where its name is the heading: %s', async (query, said) => {
  const { agent } = await makeLearnedAgent(client, [settings.join('\n\n')])
  expect((await ask(agent, query)).answer).toContain(said)
})

test('a program that is asked for by its name alone is told of by the NAME line of its page', async () => {
  const page = (name: string, does: string) =>
    `NAME\n       ${name} - ${does}\n\nDESCRIPTION\n       Writes to standard output, as ${name} has done since 1971.`
  const { agent } = await makeLearnedAgent(client, [
    page('tac', 'print files in reverse'),
    page('nl', 'number lines of files'),
  ])
  expect((await ask(agent, 'What does tac do?')).answer).toContain('tac - print files in reverse')
})

test('conditions of AsciiDoc, and its sign that an item goes on, are not quoted', async () => {
  const text = 'ifndef::scrub[]\n:see: scrub\nendif::scrub[]\n\nScrub cleans pans.\n+'
  const { agent } = await makeLearnedAgent(client, [text])
  expect((await ask(agent, 'What does scrub clean?')).answer).toBe('Scrub cleans pans.')
})

test('how to create something does not say who created it', async () => {
  const aliases = '# How do I create an alias for scour?\n\nCreate a function that calls `scour`.'
  const text = `# Scour\n\nScour cleans pans.\n\n${aliases}`
  const { agent } = await makeLearnedAgent(client, [{ name: 'scour', text }])
  const { answered, answer } = await ask(agent, 'Who created scour?')
  expect(answered ? answer : '').not.toContain('alias')
})

test('what a version changed is quoted from below its own number, whatever dates stand beside', async () => {
  const changes = ['Add dark mode.', 'Mend the login.', 'Add printing.']
  const sections = ['1.3.0] - 2024-05-02', '1.2.1] - 2024-03-11', '1.2.0] - 2024-02-01']
  const text = sections.map((head, n) => `## [${head}\n\n- ${changes[n]}`).join('\n\n')
  const now = '## Unreleased\n\n- Mend a change of 1.2.1 for good.'
  const links = '[1.3.0]: https://x.example/1.2.1...1.3.0\n[1.2.1]: https://x.example/1.2.1'
  const whole = `# Changelog\n\n${now}\n\n${text}\n\n## Links\n\n${links}`
  const { agent } = await makeLearnedAgent(client, [{ text: whole, name: 'C' }])
  for (const [n, version] of ['1.3.0', '1.2.1', 'v1.2.0'].entries()) {
    const { answer } = await ask(agent, `What changed in ${version}?`)
    expect(answer, version).toBe(`## [${sections[n]}\n\n- ${changes[n]}`)
  }
  expect((await ask(agent, 'What changed in 1.2?')).answer).toContain('1.2.')
})

test('what stands behind a question in bold is quoted without the marks of the question', async () => {
  const answers = ['4.90 € within Germany.', 'Three working days.', '* tea\n* coffee', 'Members.']
  const faq = [
    `**What does delivery cost?** ${answers[0]}`,
    `__How long does delivery take?__\n${answers[1]}`,
    `Which drinks are sold there?\n${answers[2]}`,
    `<details><summary>Who may swim here?</summary>\n\n${answers[3]}\n\n</details>`,
  ]
  const { agent } = await makeLearnedAgent(client, [faq.join('\n\n')])
  for (const [n, one] of faq.entries()) {
    const [query = ''] = /\p{L}.*\?/u.exec(one) ?? []
    expect((await ask(agent, query)).answer).toBe(answers[n])
  }
})

test.each([
  (question: string, answer: string, n: number) => `${n + 1}. ${question} ${answer}`,
  (question: string, answer: string) => `Q: ${question}\nA: ${answer}`,
  (question: string, answer: string) => `**${question}** ${answer}`,
])('of questions in the lines of one paragraph, the answer to one is quoted: %s', async (write) => {
  const answers = ['4.90 € within Germany.', 'Three working days.', 'Within 30 days.']
  const questions = ['What does delivery cost?', 'How long does it take?', 'May goods be returned?']
  const text = questions.map((one, n) => write(one, answers[n]!, n)).join('\n')
  const { agent } = await makeLearnedAgent(client, [text])
  for (const [n, query] of questions.entries()) {
    expect((await ask(agent, query)).answer.replace(/^A: /, '')).toBe(answers[n])
  }
})

test('a number with a comma is the one with a point', async () => {
  const text = 'The small pack weighs 2.5 kg. The large pack weighs 10.5 kg.'
  const { agent } = await makeLearnedAgent(client, [text])
  expect((await ask(agent, 'Which pack weighs 10,5 kg?')).answer).toBe(text)
  expect((await ask(agent, 'Which pack weighs 10,7 kg?')).answered).toBe(false)
})

test('of many versions, the one that is asked for answers, in words that its section has not', async () => {
  const things = ['login', 'export', 'search', 'sidebar', 'printing', 'calendar', 'backup']
  const sections = Array.from({ length: 90 }, (_, n) => {
    const version = `${Math.floor(n / 30)}.${Math.floor(n / 3) % 10}.${n % 3}`
    const thing = (step: number) => things[(n * step) % 7]
    const changes = [1, 2, 3].map((one) => `- Mend the ${thing(one)} of the ${thing(one + 2)}.`)
    return `## [${version}] - 20${10 + (n % 9)}-0${1 + (n % 9)}-1${n % 10}\n\n${changes.join('\n')}`
  })
  const text = `# Changelog\n\n${sections.join('\n\n')}`
  const { agent } = await makeLearnedAgent(client, [{ text, name: 'CHANGELOG.md' }])
  for (const [n, version] of [
    [0, '0.0.0'],
    [38, '1.2.2'],
    [89, '2.9.2'],
  ] as const) {
    const { answer } = await ask(agent, `What are the new features of version ${version}?`)
    expect(answer).toBe(sections[n])
  }
  for (const other of ['3.0.0', '1.2.9']) {
    expect(
      (await ask(agent, `What are the new features of version ${other}?`)).answered,
      other,
    ).toBe(false)
  }
})
