import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { QueryAgent } from '../../generated/types.gen.ts'
import type { Client } from '../../generated/client/index.ts'
import { sendAnswer } from '../support/chat-answers.ts'
import { makeLibrarian, openingHours, question } from '../support/librarian.ts'
import { Provider } from '../support/provider.ts'
import { startServer } from '../support/server.ts'

async function ask(client: Client, id: string, body: QueryAgent) {
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  return data
}

/** The answers to these questions, asked in one conversation; empty where it is declined. */
async function converse(client: Client, id: string, ...queries: string[]): Promise<string[]> {
  let conversationId: string | null = null
  const answers: string[] = []
  for (const query of queries) {
    const data = await ask(client, id, {
      query,
      ...(conversationId !== null && { conversationId }),
    })
    conversationId = data.conversationId
    answers.push(data.answered ? data.answer : '')
  }
  return answers
}

test('without a model, a question with hardly a word of its own goes on with the one before', async () => {
  const { client } = await startServer()
  const pool = 'The pool opens at seven in the morning.\n\nChildren swim for nothing.'
  const id = await makeLibrarian(client, {}, pool)
  const query = 'And on Saturday?'
  expect((await ask(client, id, { query: 'And when?' })).answered).toBe(false)
  const { conversationId } = await ask(client, id, { query: question })
  const followed = await ask(client, id, { query, conversationId: conversationId! })
  expect(followed.answer).toBe(openingHours)
  const askNext = (next: string) =>
    ask(client, id, { query: next, conversationId: conversationId! })
  expect((await askNext('When does the pool open?')).answer).toBe(pool)
  expect((await askNext('And for children?')).answer).toContain('Children swim for nothing.')
  for (const off of ['And on Sundays?', 'And the dogs?', 'Parking fees?', 'Who is the mayor?']) {
    expect((await askNext(off)).answered, off).toBe(false)
  }
})

test('without a model, what says nothing of the subject is declined, and the subject stays', async () => {
  const { client } = await startServer()
  const id = await makeLibrarian(client)
  const { conversationId } = await ask(client, id, { query: question })
  const askNext = (query: string) => ask(client, id, { query, conversationId: conversationId! })
  for (const query of ['Why?', 'How do you do that?']) {
    expect((await askNext(query)).answer, query).toBe(openingHours)
  }
  for (const query of ['Who are you?', 'What can you do?', 'Thanks!', 'Hello', 'No', ':)']) {
    expect((await askNext(query)).answered, query).toBe(false)
  }
  expect((await askNext('And on Saturday?')).answer).toBe(openingHours)
})

test('a follow-up of a follow-up keeps its subject, and another code takes its place', async () => {
  const { client } = await startServer()
  const museum = 'The museum opens at noon on Mondays. On Sundays the museum is closed.'
  const library = 'On Mondays the library opens at ten. On Sundays the library is closed.'
  const hours = await makeLibrarian(client, {}, museum, library)
  const follow = async (agent: string, ...queries: string[]) => {
    let conversationId: string | null | undefined
    let answer = ''
    for (const query of queries) {
      const data = await ask(client, agent, { query, ...(conversationId && { conversationId }) })
      conversationId = data.conversationId
      answer = data.answer
    }
    return answer
  }
  const asked = ['When does the library open?', 'and on Sundays?', 'And Mondays?']
  expect(await follow(hours, ...asked)).toBe(library)
  const rows = ['AX1070,lamp,red,5', 'AX1077,chair,blue,7', 'AX1078,desk,green,9', 'BX1,bed,red,8']
  const shop = await makeLibrarian(client, {}, ['code,name,colour,price', ...rows].join('\n'))
  const price = 'What is the price of AX1077?'
  expect(await follow(shop, price, 'and AX1078?', 'and the colour?')).toContain(rows[2])
  expect(await follow(shop, price, 'and the colour?', 'and its name?')).toContain(rows[1])
})

test('a word that may be an assent is asked for where nothing was answered before', async () => {
  const { client } = await startServer()
  const nice = 'NAME\n       nice - run a program with modified scheduling priority\n'
  const id = await makeLibrarian(client, {}, nice)
  const first = await ask(client, id, { query: 'nice' })
  expect(first.answer).toContain('nice - run a program')
  const after = { query: 'Nice!', conversationId: first.conversationId! }
  expect((await ask(client, id, after)).answered).toBe(false)
})

test('without a model, greetings and thanks ask nothing, and a correction takes up the question', async () => {
  const { client } = await startServer()
  const pool =
    'The pool opens at seven. Say thanks to the pool: it is open to guests, ok? It makes sense.'
  const sauna = 'A sauna is a hot room of wood. The sauna opens at six.'
  const id = await makeLibrarian(client, {}, pool, sauna)
  const greeted = `Good morning! ${question}`
  const { conversationId, answer } = await ask(client, id, { query: greeted })
  expect(answer).toBe(openingHours)
  const askNext = (query: string) => ask(client, id, { query, conversationId: conversationId! })
  for (const query of [
    'Thanks!',
    'ok',
    'No, thanks',
    'Vielen Dank',
    'Perfect, thank you so much',
    'Hi there',
    'Makes sense',
    'Ah, ok',
    'Great and thanks',
  ]) {
    expect((await askNext(query)).answered, query).toBe(false)
  }
  expect((await ask(client, id, { query: 'Thanks' })).sources).toEqual([])
  expect((await askNext('Thanks, and on Saturday?')).answer).toBe(openingHours)
  expect((await askNext('No, I meant the pool for guests')).answer).toBe(pool)
  expect((await askNext('What is a sauna?')).answer).toBe(sauna)
  expect((await askNext('And when does it open?')).answer).toBe(sauna)
})

test('what goes on with `it` is answered of its subject alone, also after what was not found', async () => {
  const { client } = await startServer()
  const permit =
    'A permit for the reading room is given at the desk.\n\nIt is approved by the curator.'
  const money = 'Orders are approved by the treasurer.'
  const scales = 'Letters weigh twenty grams.'
  const id = await makeLibrarian(client, {}, permit, money, scales)
  const first = 'Who gives a permit for the reading room?'
  const { conversationId } = await ask(client, id, { query: first })
  const askNext = (query: string) => ask(client, id, { query, conversationId: conversationId! })
  expect((await askNext('And what does it weigh?')).answered).toBe(false)
  expect((await askNext('Who approves it?')).answer).toContain('curator')
  expect((await askNext('Who approves orders for money?')).answer).toBe(money)
})

const museum = 'The museum opens at noon on Mondays. On Sundays the museum is closed.'
const library = 'On Mondays the library opens at ten. On Sundays the library is closed.'

test('a courtesy or an assent around a follow-up changes nothing of what it asks', async () => {
  const { client } = await startServer()
  const id = await makeLibrarian(client, {}, museum, library)
  for (const query of [
    'Great, and on Sundays?',
    'Ok, perfect. And on Sundays?',
    'Yes, and on Sundays?',
    'Hi again, one more question: and on Sundays?',
    'Sorry, on Sundays',
    'No, not on Saturdays. I mean on Sundays',
    'Thanks for the info! And on Sundays?',
    'Thank you for your quick answer. And on Sundays?',
    'On Sundays, please?',
    'And on Sundays? Thanks in advance!',
    'And on Sundays? Vielen Dank im Voraus!',
    'Ok cool and on Sundays?',
    'Thanks for letting me know. And on Sundays?',
  ]) {
    const [, answer] = await converse(client, id, question, query)
    expect(answer, query).toBe(library)
  }
})

test('a name that begins like a greeting is asked for whole', async () => {
  const { client } = await startServer()
  const parser = 'The setup of parser.js takes a minute.'
  const hello = 'For hello.js the setup takes an hour, because of its many small parts.'
  const id = await makeLibrarian(client, {}, parser, hello)
  expect(await converse(client, id, 'Hello.js setup?')).toEqual([hello])
})

test('a long conversation keeps its subject', async () => {
  const { client } = await startServer()
  const id = await makeLibrarian(client, {}, museum, library)
  const asked = ['When does the museum open?', 'and on Sundays?', 'Thanks!', 'And Mondays?', 'ok']
  const answers = await converse(client, id, ...asked, 'Sundays?', 'And Mondays?', 'And Sundays?')
  expect(answers).toEqual([museum, museum, '', museum, '', museum, museum, museum])
})

test('what asks the meaning of a thing, or has a place of its own, is no follow-up', async () => {
  const { client } = await startServer()
  const pool = 'The pool opens when there is little chlorine in the water.'
  const chlorine = 'Chlorine is a gas. It kills what grows in water.'
  const piscine = 'La piscine municipale ouvre à dix heures, la bibliothèque à neuf heures.'
  const rue = 'La piscine municipale est dans la rue Haute.'
  const leeds = 'We are in the city of Leeds.'
  const id = await makeLibrarian(client, {}, pool, chlorine, piscine, rue, leeds)
  const meaning = ['When does the pool open?', 'What is chlorine?']
  expect(await converse(client, id, ...meaning)).toEqual([pool, chlorine])
  for (const next of [
    'And what is chlorine?',
    'Was ist chlorine?',
    'Qu’est-ce que chlorine ?',
    '¿Qué es chlorine?',
  ])
    expect(await converse(client, id, 'When does the pool open?', next)).toEqual([pool, chlorine])
  const city = ['When does the pool open?', 'In which city are you?']
  expect(await converse(client, id, ...city)).toEqual([pool, leeds])
  const place = ['Quand ouvre la bibliothèque ?', 'Où est la piscine municipale ?']
  expect(await converse(client, id, ...place)).toEqual([piscine, rue])
})

test('in other languages, too, what points back is answered of its subject alone', async () => {
  const { client } = await startServer()
  const texts = [
    'Ein Leseausweis kostet zehn Euro.',
    'Die Parkkarte ist übertragbar und gilt zwei Stunden.',
    'La carte de lecteur coûte dix euros.',
    'Le journal est gratuit et imprimé à Lyon.',
    'Die Frist sagt, bis wann Bücher zurück sind.',
    'El carné de lector cuesta diez euros.',
    'Renuevo gratis el préstamo en la biblioteca.',
    'A second one is kept in the archive of old maps.',
  ]
  const id = await makeLibrarian(client, {}, ...texts)
  for (const [first, next] of [
    ['Was kostet ein Leseausweis?', 'Wie lange gilt er?'],
    ['Was kostet ein Leseausweis?', 'Bis wann?'],
    ['Was kostet ein Leseausweis?', 'Ist das übertragbar?'],
    ['Combien coûte la carte de lecteur ?', 'C’est gratuit ?'],
    ['¿Cuánto cuesta el carné de lector?', '¿Es gratis?'],
    ['Combien coûte la carte de lecteur ?', 'Où est-elle imprimée ?'],
    ['¿Cuánto cuesta el carné de lector?', '¿Cómo lo renuevo?'],
    [question, 'the second one'],
    [question, 'And on maps?'],
  ] as const) {
    const [answer, followed] = await converse(client, id, first, next)
    expect(answer, first).not.toBe('')
    expect(followed, next).toBe('')
  }
})

test('`it` stands for what the latest question names', async () => {
  const { client } = await startServer()
  const gym = 'The gym opens at six, on Sundays at nine. A month in the gym costs thirty euros.'
  const pool = 'The pool opens at seven. A ticket for the pool costs five euros.'
  const texts = [
    'Le café ferme à minuit.',
    'La piscine ouvre à dix heures.',
    'Im Café gibt es WLAN.',
  ]
  const id = await makeLibrarian(client, {}, gym, pool, ...texts)
  const asked = ['When does the gym open?', 'On Sundays?', 'And the pool?', 'What does it cost?']
  expect(await converse(client, id, ...asked)).toEqual([gym, gym, pool, pool])
  const kettle =
    '# Kettle\n\nThe kettle costs 49 euros and is descaled with vinegar, as any kettle.'
  const sauna = 'The sauna is booked online and opens at ten.'
  const booking = 'The pool is booked at the desk.'
  const spa = await makeLibrarian(client, {}, sauna, booking, pool)
  const opens = ['When does the pool open?', 'Do I have to book?', 'When does it open?']
  expect(await converse(client, spa, ...opens)).toEqual([pool, booking, pool])
  const toaster = '# Toaster\n\nIt costs 39 euros.'
  const shop = await makeLibrarian(client, {}, `${kettle}\n\n${toaster}`)
  const costs = ['How much does the kettle cost?', 'And the toaster?', 'What does it cost?']
  const [, , cost] = await converse(client, shop, ...costs)
  expect(cost).toContain('39 euros')
  const piscine = ['Quand ouvre la piscine ?', 'Elle ferme quand ?', 'Gibt es WLAN?']
  expect(await converse(client, id, ...piscine)).toEqual([texts[1], '', texts[2]])
})

test('a whole question is no part of another, and what is included is asked of the one before', async () => {
  const { client } = await startServer()
  const tour = 'A tour of the museum is booked at the desk. Coffee is included in the tour.'
  const books = 'The museum finds lost books.'
  const lost = 'A lost book is paid for at the library.'
  const hire = 'Batteries are included in the lamp.'
  const id = await makeLibrarian(client, {}, hire, tour, books, lost)
  const first = 'How do I book a tour of the museum?'
  expect(await converse(client, id, first, 'What is included?')).toEqual([tour, tour])
  for (const next of ['And who pays for a lost book?', 'Sorry, I mean who pays for a lost book?'])
    expect(await converse(client, id, first, next), next).toEqual([tour, lost])
})

test('another place or time takes the place of the one before', async () => {
  const { client } = await startServer()
  const debian = 'To install Quill on Debian, run apt install quill.'
  const windows = 'To install Quill on Windows, run the downloaded program.'
  const backups =
    'The backups of an install are, on Debian in /var/backups and on Windows in Quill.'
  const late = 'For members the fee for a late book is one euro, and for guests two euros.'
  const guests = 'Guests have no fee for a book that they read in the garden.'
  const id = await makeLibrarian(client, {}, backups, debian, windows, guests, late)
  const first = 'How do I install Quill on Debian?'
  expect(await converse(client, id, first, 'And on Windows?')).toEqual([debian, windows])
  const fee = 'What is the fee for a late book for members?'
  expect(await converse(client, id, fee, 'And for guests?')).toEqual([late, late])
  const linux = 'Unter Linux wird Quill als Paket installiert.'
  const mac = 'Unter macOS wird Quill aus dem Laden installiert.'
  const sicherung = 'Eine Sicherung von Quill, das unter Linux oder unter macOS installiert ist.'
  const deutsch = await makeLibrarian(client, {}, sicherung, linux, mac)
  const installiert = ['Wie installiere ich Quill unter macOS?', 'Und unter Linux?']
  expect(await converse(client, deutsch, ...installiert)).toEqual([mac, linux])
})

test('how much or how many of something is asked of the subject before, and of nothing else', async () => {
  const { client } = await startServer()
  const cake = 'For the cake you need 3 eggs, sugar and butter.'
  const bread = 'The flour: 2 cups for the bread, 1 cup for the table. Many people like it.'
  const omelette = 'Eggs: 5 for how many people? Take 2 eggs more for each of many people.'
  const returns = 'Returns are taken at the desk within 14 days.'
  const id = await makeLibrarian(client, {}, omelette, bread, cake, returns)
  const asked = ['What do you need for the cake?', 'How many eggs?', 'and how much flour?']
  const within = 'Within how many cups?'
  expect(await converse(client, id, ...asked, within)).toEqual([cake, cake, '', ''])
  const days = ['How do I return a product?', 'Within how many days?']
  expect(await converse(client, id, ...days)).toEqual(['', returns])
})

test('a part of a question in Spanish is one behind its first mark, too', async () => {
  const { client } = await startServer()
  const biblioteca = 'La biblioteca abre a las diez para los menores de edad.'
  const museo = 'El museo tiene un precio para los menores de edad.'
  const id = await makeLibrarian(client, {}, museo, biblioteca)
  const asked = ['¿Cuándo abre la biblioteca?', '¿Y para los menores de edad?']
  expect(await converse(client, id, ...asked)).toEqual([biblioteca, biblioteca])
})

test('with a model, one call puts the question into words that stand alone', async () => {
  const provider = await Provider.start()
  const { client } = await startServer({ chat: provider.chat })
  const id = await makeLibrarian(client)
  const first = await ask(client, id, { query: question })
  expect(provider.chats).toHaveLength(1)
  const alone = 'Does the library open on Saturday?'
  provider.chatBehaviour = (call, response) =>
    sendAnswer(call, response, provider.chats.length === 2 ? alone : 'It does [1].')
  const query = 'And then?'
  const given = await ask(client, id, { query, conversationId: first.conversationId! })
  expect(provider.chats).toHaveLength(3)
  const [, rewriting, answering] = provider.chats.map(({ body }) => body.messages)
  const roles = ['system', 'user', 'assistant', 'user']
  expect(rewriting!.map(({ role }) => role)).toEqual(roles)
  expect(answering!.map(({ content }) => content)).toEqual([
    expect.any(String),
    question,
    first.answer,
    expect.stringContaining(openingHours),
    query,
  ])
  expect(given).toMatchObject({ answer: 'It does [1].', usage: { inputTokens: 2 * 58 } })
  provider.chatBehaviour = (call, response) => sendAnswer(call, response, alone)
  const further = { query, conversationId: first.conversationId! }
  for (let turn = 0; turn < 4; turn++) await ask(client, id, further)
  const [system, ...rest] = provider.chats.at(-1)!.body.messages
  expect(system!.role).toBe('system')
  expect(rest).toHaveLength(8 + 2)
})

test('what a model cannot answer is no answer', async () => {
  const provider = await Provider.start()
  const { client } = await startServer({ chat: provider.chat })
  const id = await makeLibrarian(client)
  expect((await ask(client, id, { query: 'Which river flows through Paris?' })).answered).toBe(
    false,
  )
  expect(provider.chats).toHaveLength(0)
  const declined = { answered: false, finishReason: 'no_answer', citations: [] }
  for (const mark of ['', ' [1]', '[1]\n']) {
    provider.chatBehaviour = (call, response) =>
      sendAnswer(call, response, `I could not find an answer to that in what I know.${mark}`)
    expect(await ask(client, id, { query: question })).toMatchObject(declined)
  }
})
