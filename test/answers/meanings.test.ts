import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeLearnedAgent } from '../support/things.ts'

const { client } = await joinServer()

type Documents = { name: string; text: string }[]

async function answerOf(documents: Documents, query: string): Promise<string> {
  const { agent } = await makeLearnedAgent(client, documents)
  const body = { query, store: false }
  const { data } = await sdk.queryAgent({
    client,
    path: { id: agent },
    body,
    throwOnError: true,
  })
  return data.answer
}

const weir = [
  {
    name: 'repair.md',
    text: '# Weir repair\n\nIf the weir has been damaged, the weir keeper offers two ways to repair it.\n\n## Weir tools\n\nThe weir is only mended with these.',
  },
  {
    name: 'canal.md',
    text: '# Canal\n\nBoats go up and down by locks, past mills and farms, and pay at the toll house.\n\nA weir is a low wall across a river.',
  },
]

test.each([
  ['a sentence that says it', weir, 'What is a weir?', 'A weir is a low wall across a river.'],
  [
    'a sentence that says it, of a name with a dot',
    [
      {
        name: 'fees.md',
        text: 'Lock.org Weirs are free, and what Lock.org Weirs are is told by Lock.org.',
      },
      { name: 'api.md', text: 'Lock.org Weirs is a register of all weirs.' },
    ],
    'What is Lock.org Weirs?',
    'Lock.org Weirs is a register of all weirs.',
  ],
  [
    'the introduction of the document of that name',
    [
      { name: 'weir-closing.md', text: 'By default, weir closing times stand at the weir gate.' },
      {
        name: 'weir.md',
        text: 'Raises the water above it by some feet.\n\n## Weir rules\n\nThe weir gate is shut at night.',
      },
    ],
    'What does the weir do?',
    'Raises the water above it by some feet.',
  ],
  [
    'a directive of Sphinx',
    [
      {
        name: 'guide.rst',
        text: 'Set it in a file::\n\n    MAX_PANS = 10\n\nYou can also set others, although MAX_PANS is enough.',
      },
      {
        name: 'config.rst',
        text: 'Settings\n========\n\n.. py:data:: MAX_PANS\n\n    How many can be scrubbed at once.\n\n.. py:data:: MAX_POTS\n\n    The same for others.',
      },
    ],
    'What is MAX_PANS?',
    '.. py:data:: MAX_PANS\n\n    How many can be scrubbed at once.',
  ],
  [
    'a list of settings',
    [
      { name: 'faq.rst', text: 'Using ``SCRUB_HOST`` with a proxy\n  The proxy has its own.' },
      {
        name: 'environment.rst',
        text: 'General:\n    SCRUB_PORT\n        When set, pans come in there.\n    SCRUB_HOST (and OTHER_HOST)\n        When set, pans go out there.\n    SCRUB_USER\n        When set, pans are of that user.',
      },
    ],
    'What is SCRUB_HOST?',
    'SCRUB_HOST (and OTHER_HOST)\n        When set, pans go out there.',
  ],
  [
    'the section about the side that is asked for',
    [
      {
        name: 'SCRUB_LIMIT.md',
        text: '# NAME\n\nSCRUB_LIMIT - the number of pans\n\n# DESCRIPTION\n\nPass a number as SCRUB_LIMIT.\n\n# DEFAULT\n\n0\n\n# EXAMPLE\n\nNone.',
      },
      { name: 'SCRUB_PORT.md', text: '# NAME\n\nSCRUB_PORT - the port\n\n# DEFAULT\n\n80' },
    ],
    'What is the default of SCRUB_LIMIT?',
    '# DEFAULT\n\n0',
  ],
  [
    'the heading with the number',
    [
      {
        name: 'levels.md',
        text: 'Quiet levels say how quiet the mill is, and every quiet level may be changed.\n\n### Level 1\n\nThe bell is off.\n\n### Level 2\n\nThe wheel is off.\n\n### Level 3\n\nAll is off.',
      },
    ],
    'What does quiet level 3 do?',
    '### Level 3\n\nAll is off.',
  ],
  [
    'the side that is asked for, and not by the heading with the number alone',
    [
      {
        name: 'mill.md',
        text: '# Mill levels\n\nThe levels are agreed each year.\n\n## Grinding time\n\nFour hours a sack.\n\n## Level 1\n\nCorn is coarse.\n\n## Level 2\n\nCorn is fine.',
      },
    ],
    'What is the grinding time of level 2?',
    '## Grinding time\n\nFour hours a sack.',
  ],
  [
    'what is said of it, and not of a thing with a longer name',
    [
      {
        name: 'farm.md',
        text: '# Farm\n\nA millstone is a wheel of stone.\n\nMillers are the people who live there.\n\nThe mill by the bridge grinds the corn of all farms.',
      },
    ],
    'What is a mill?',
    'The mill by the bridge grinds the corn of all farms.',
  ],
  [
    'the introduction below who wrote it and when',
    [
      {
        name: 'ferry.md',
        text: 'By A. Smith\n\n# Ferry\n\nLast updated: 3 May 2024\n\nThe ferry takes carts over the river, and goes each hour.',
      },
    ],
    'What is the ferry?',
    'The ferry takes carts over the river, and goes each hour.',
  ],
  [
    'what says it, and not an item of a list about a case',
    [
      {
        name: 'canal.md',
        text: 'The sluice holds back the river.\n\n- If the keeper of the sluice is a friend, call him first.',
      },
    ],
    'What is a sluice?',
    'The sluice holds back the river.\n\n- If the keeper of the sluice is a friend, call him first.',
  ],
  [
    'the row of a setting, which is called so too',
    [
      {
        name: 'settings.md',
        text: '| name | default | what it is |\n| --- | --- | --- |\n| `SCRUB_TIME` | 60 | Seconds that a pan is scrubbed |\n| `SCRUB_PANS` | 5 | Pans that are scrubbed at once |',
      },
      {
        name: 'belts.md',
        text: '# Belts\n\n`SCRUB_TIME` is the time for the first pan of a belt, and then for each next one.',
      },
    ],
    'What is SCRUB_TIME?',
    '| name | default | what it is |\n| `SCRUB_TIME` | 60 | Seconds that a pan is scrubbed |',
  ],
])('what is asked for is told of by %s', async (_, documents, question, answer) => {
  expect(await answerOf(documents, question)).toBe(answer)
})

test.each([
  'A *scrubber* is a machine that cleans them.',
  '1.2 “Scrubber” means a machine that cleans them.',
])('what a thing is stands in the one document of many that says it: %s', async (meaning) => {
  const notes = Array.from({ length: 20 }, (_, n) => ({
    name: `note-${n}`,
    text: `Scrubber ${n} has a scrubber lid.`,
  }))
  const others = 'Pans come in on a belt, and are dried by warm air. '.repeat(12)
  const text = `${others}\n\n${meaning}\n\n${others}`
  const answer = await answerOf([...notes, { name: 'guide', text }], 'What is a scrubber?')
  expect(answer.startsWith(meaning)).toBe(true)
})

test('a section is told of from below its heading, however often others name it', async () => {
  const sections = Array.from({ length: 40 }, (_, n) => {
    const rule = 'Whoever owns a wheel keeps it as its owner has to. '.repeat(6)
    return `### § ${n + 1} Wheels\n\n${n === 2 ? 'Wheels turn at night only.' : `${rule}§ 3 and § 3 are kept.`}`
  })
  const text = `# Mill law\n\nMade in spring. § 3 came later.\n\n${sections.join('\n\n')}`
  const answer = await answerOf(
    [{ name: 'mill-law.md', text }],
    'What does § 3 of the mill law say?',
  )
  expect(answer).toContain('Wheels turn at night only.')
})

test('a thing with a hyphen in its name is told of', async () => {
  const documents = [
    { name: 'free.md', text: 'Saw-mill services are free, and nobody counts a saw-mill.' },
    {
      name: 'calls.md',
      text: 'Calls are signed, and need a key that the keeper gives.\n\nA saw-mill is a house that cuts wood.',
    },
  ]
  expect(await answerOf(documents, 'What is a saw-mill?')).toContain('a house that cuts wood')
})

test('a short form is told of where a question has no other word of its list', async () => {
  const text = 'API: Application Interface\nSLA: Service Level Agreement\nRTO: Recovery Time'
  const documents = [
    { name: 'glossary', text },
    { name: 'faq', text: 'Boats may stand in the lock for an hour.' },
  ]
  expect(await answerOf(documents, 'What does SLA stand for?')).toContain('Service Level Agreement')
})

test.each([
  [
    'how many',
    'How many lock gates are on the canal?',
    'Each year the keepers count all lock gates on the canal.',
    'Boats wait, because there are 14 lock gates on the canal.',
  ],
  [
    'how many eggs',
    'How many eggs do I need for waffles?',
    'Good waffles have fresh eggs of a farm, and 300 g of flour, which is sieved before.',
    'Of waffles, the batter has butter: 80 g, eggs: 5, and some salt.',
  ],
  [
    'how long',
    'How long does bread bake?',
    'Bread is baked at 240 degrees in this bakery, and rye bread is baked here on stones.',
    'All bread is put in early, and has to bake for 50 minutes.',
  ],
  [
    'where',
    'Where does the miller keep the ledger?',
    'The miller keeps the ledger by hand, and no ledger that the miller keeps is lent.',
    'The ledger of the miller is stored in `/mill/books` in the evening.',
  ],
  [
    'where in German',
    'Wo werden die Bücher der Mühle gespeichert?',
    'Die Bücher der Mühle werden von Hand geführt, und die Bücher werden nicht verliehen.',
    'Am Abend werden die Bücher in `mill/books` abgelegt, wie auch die Briefe der Mühle.',
  ],
  [
    'a default',
    'How many carts does the mill yard hold by default?',
    'The mill yard holds carts: 30 carts hold in the yard of the old mill by the river.',
    'Of the mill yard, the number of carts that it may hold defaults to 12.',
  ],
])('%s is answered by a passage that says it', async (_, question, other, right) => {
  const documents = [
    { name: 'lock.md', text: other },
    { name: 'boats.md', text: right },
  ]
  expect(await answerOf(documents, question)).toBe(right)
})

test('a subcommand of a subcommand is told of from where it is explained', async () => {
  const pop =
    'pop [--index] [<cart>]\n    Takes the last one off the list, and puts it into the yard.'
  const text = `# mill-cart\n\napply [<cart>]\n    Like mill cart pop, but mill cart keeps it. What pop does, mill cart apply does.\n\n${pop}`
  const answer = await answerOf([{ name: 'mill-cart.txt', text }], 'What does mill cart pop do?')
  expect(answer).toMatch(/^pop \[--index\]/)
})

test('a task is told of by the NAME line of its manual page', async () => {
  const sweep =
    'SWEEP(1)\n\nNAME\n       sweep - Remove loose straw from the floor\n\nSYNOPSIS\n       sweep [-d] [-f]\n'
  const grind =
    'GRIND(1)\n\nOPTIONS\n       --hard\n              Remove loose straw between the mill stones, too, and any tools.\n'
  const documents = [
    { name: 'grind.1', text: grind },
    { name: 'sweep.1', text: sweep },
  ]
  const answer = await answerOf(documents, 'remove loose straw between the boards')
  expect(answer).toContain('sweep - Remove loose straw')
})

test('a list is quoted with what stands above it', async () => {
  const lead = 'No boat may go to any of these towns.'
  const list = '- Aston, by the canal\n- Barton, by the river'
  const text = `# Boats\n\nBoats go by day.\n\n## Towns\n\n${lead}\n\n${list}\n\n## Fares\n\nTwo groats.`
  const query = 'May I go by canal to Aston, or by river to Barton?'
  expect(await answerOf([{ name: 'boats.md', text }], query)).toContain(`${lead}\n\n${list}`)
})

test('a day of the week says when, as a year does', async () => {
  const text =
    'The mill is shut on Sundays.\n\nIn 1919 the mill was moved to the river. It is shut to carts since 1921.'
  const answer = await answerOf([{ name: 'mill.md', text }], 'When is the mill shut?')
  expect(answer).toMatch(/^The mill is shut on Sundays/)
})

test.each([
  [
    'a comment of Markdown',
    'ferry.md',
    '<!-- Ferry fare: ask the ferry office\nfor the ferry fare -->',
  ],
  ['a script', 'ferry.md', '<script>\nferry.fare = "ferry fare"\n</script>'],
  ['a template', 'ferry.md', '{{ example({ item: "ferry fare", size: "ferry" }) }}'],
  [
    'front matter with a list over some lines',
    'ferry.md',
    '---\ntitle: Ferry fare\naliases: [\n  /ferry-fare\n]\n---',
  ],
  [
    'a comment of reStructuredText',
    'ferry.rst',
    '.. The ferry fare is written by hand, do not edit the ferry fare!',
  ],
  ['the usage of a command', 'ferry.txt', 'ferry [common options] fare [options] NAME'],
  [
    'a piece of a long address',
    'ferry.md',
    `# Ferry fare\n\nTry what the ferry fare may be [here](https://example.org/play?#code/${'A1b2C3'.repeat(150)}).`,
  ],
])('%s is not quoted', async (_, name, part) => {
  const text = `${part}\n\nThe ferry fare is two groats.`
  expect(await answerOf([{ name, text }], 'What is the ferry fare?')).toBe(
    'The ferry fare is two groats.',
  )
})

test.each([
  ['a script', '<script>ferry()</script> The ferry fare is two groats.'],
  ['a comment', '<!-- checked -->The ferry fare is two groats.'],
  ['a comment of two lines', '<!-- checked\nin May --> The ferry fare is two groats.'],
])('what stands behind %s in its line is quoted', async (_, text) => {
  const answer = await answerOf([{ name: 'ferry.md', text }], 'What is the ferry fare?')
  expect(answer).toContain('The ferry fare is two groats.')
})

test.each(['Where is your store?', 'Where is the store located?', 'Where do you store?'])(
  'a thing that is called as what is asked is found: %s',
  async (query) => {
    const text = 'Our store is at 5 Main Street, beside the bank.'
    const other = { name: 'b.md', text: 'We sell bread, and the bread costs two groats.' }
    expect(await answerOf([{ name: 'a.md', text }, other], query)).toBe(text)
  },
)

test('a sentence with a long address is quoted', async () => {
  const text = `Book the ferry here: https://example.org/ferry?code=${'A1b2C3'.repeat(60)}`
  expect(await answerOf([{ name: 'ferry.md', text }], 'How do I book the ferry?')).toBe(text)
})

test('a mark in a span of code ends no sentence', async () => {
  const text = 'The mill sign is written by adding `:?`\nwithin the braces of the mill list.'
  expect(await answerOf([{ name: 'mill.md', text }], 'How is the mill sign written?')).toBe(text)
})

test.each([
  [
    'a note of reStructuredText in one line',
    'ferry.rst',
    '.. note:: The ferry fare is two groats.',
  ],
  [
    'what stands between templates',
    'ferry.md',
    '{% if boats %}The ferry fare is two groats.{% endif %}',
  ],
  ['what names a menu', 'ferry.txt', 'Select [Options] for the ferry fare of two groats'],
])('%s is quoted', async (_, name, text) => {
  expect(await answerOf([{ name, text }], 'What is the ferry fare?')).toBe(text)
})
