import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { anyText } from '../../src/files/decode-text.ts'
import { plainTextOf } from '../../src/files/files.ts'
import { samples } from './encodings.ts'
import { readHere } from './read-here.ts'

const shortLength = 150

test('of short texts in 27 encodings nine of ten are read, and of longer ones all', async () => {
  const wrong: string[] = []
  const counts = { short: 0, long: 0 }
  for (const { encoding, language, text, bytes } of samples) {
    const length = bytes.length <= shortLength ? 'short' : 'long'
    counts[length] += 1
    if ((await anyText(bytes))?.text !== text) wrong.push(`${length} ${encoding} ${language}`)
  }
  console.info(`${wrong.length} of ${samples.length} are wrong: ${wrong.join(', ')}`)
  const longWrong = wrong.filter((one) => one.startsWith('long'))
  expect(longWrong).toEqual([])
  expect(wrong.length).toBeLessThanOrEqual(counts.short / 10)
})

const western = [
  'Format: 10 × 15 cm, 12 ÷ 4',
  'Price: ¥500, £20',
  'Acme™ shelf',
  'Fußnote† und Anmerkung‡',
  'Größe, naïve café',
  'Price: 12 €',
  'Müller',
  '50 µl at 37 °C for 10 min\r\n25 µl at 4 °C',
  `Sensor;Temp\r\n${'A1;20°C\r\nA2;±2 °F\r\n'.repeat(20)}`,
  '5 µm',
  'José García',
  '“Late”, she said – and left…',
]

test.each(western)('few letters with accents are those of Windows-1252: %s', async (text) => {
  const bytes = Buffer.from(
    text.replaceAll(/[€“”–…™†‡]/g, (sign) => latin[sign]!),
    'latin1',
  )
  expect((await anyText(bytes))?.text).toBe(text)
})

const latin: Record<string, string> = {
  '€': '\x80',
  '“': '\x93',
  '”': '\x94',
  '–': '\x96',
  '…': '\x85',
  '™': '\x99',
  '†': '\x86',
  '‡': '\x87',
}

test.each(['Le cœur: 12 €', 'Preis: 3,50 €', 'la sœur de Zoé'])(
  'signs of Windows-1252 that make no sense are those of ISO-8859-15: %s',
  async (text) => {
    const bytes = iconv.encode(text, 'iso-8859-15')
    expect(await anyText(bytes)).toEqual({ text, encoding: 'iso-8859-15' })
  },
)

test.each([
  'Le café',
  'José García',
  'Prix du café: 3 euros',
  'Nom;Prénom;Ville\nDupré;Jérôme;Nîmes\nBéart;Hélène;Orléans',
])('a capital behind a small letter is one of the Mac: %s', async (text) => {
  expect((await anyText(iconv.encode(text, 'macroman')))?.text).toBe(text)
})

test.each(['½ cup of crème', 'Le signe ¤ est déjà là: “été à la crème brûlée”'])(
  'these stay: %s',
  async (text) => {
    const bytes = iconv.encode(text, 'windows-1252')
    expect((await anyText(bytes))?.text).toBe(text)
  },
)

test.each([
  'Le café est déjà fermé à Noël.',
  '“Été à la crème brûlée”',
  'Perché così è più città',
  'Ångström på svenska är äldre än öl',
])('words of two scripts are no words: %s', async (text) => {
  const bytes = iconv.encode(text, 'windows-1252')
  expect((await anyText(bytes))?.text).toBe(text)
})

test('UTF-32 with a mark is no UTF-16', async () => {
  const bytes = iconv.encode('Größe', 'utf-32le', { addBOM: true })
  expect((await anyText(bytes))?.text).toBe('Größe')
})

test('UTF-8 of which a few characters are broken stays UTF-8', async () => {
  const text = 'Größe und Länge. '.repeat(20)
  const bytes = Buffer.concat([Buffer.from(text), Buffer.from('c3', 'hex'), Buffer.from(text)])
  expect((await anyText(bytes))?.text).toBe(`${text}\ufffd${text}`)
})

test('also where they are one of five that are not ASCII', async () => {
  const bytes = Buffer.concat([
    Buffer.from('Fermé à midi, ouvert dès sept heures, fêtes: '),
    Buffer.of(0xef),
  ])
  expect((await anyText(bytes))?.text).toMatch(/^Fermé à midi, .*: \ufffd$/)
})

const ferries = 'Город;Паром;Отход;Цена\r\nСочи;Звезда;6:15;120\r\nАнапа;Волна;7:20;90\r\n'
const furniture = ['椅子', '机', '棚']
const rows = Array.from(
  { length: 100 },
  (_, n) => `KT-${3000 + n},${furniture[n % 3]},${'赤青'[n % 2]},${500 + 100 * n}\r\n`,
)

test.each([
  ['windows-1251', `${ferries}Ялта;Чайка;8:25;250\r\nКерчь;Якорь;9:35;31\r\n`],
  ['windows-1251', `${ferries}Одесса;Ласточка;11:05;75\r\n`],
  ['shift_jis', `型番,品名,色,価格\r\n${rows.join('')}`],
  ['windows-1250', 'Miasto;Prom;Odjazd\r\nŚwinoujście;Żuraw;6:15\r\nGdańsk;Łoś;7:20\r\n'],
])('a small table in %s is read', async (encoding, text) => {
  expect(await anyText(iconv.encode(text, encoding))).toEqual({ text, encoding })
})

test.each([
  ['windows-1251', 'Магазин работает с 9 до 18 — без перерыва.'],
  ['windows-1251', 'Паром «Чайка» отходит в 8:25 — не опоздайте!'],
  ['windows-1251', 'Кафе «Волна» — на втором этаже, №\u00a012.'],
  ['gb18030', '《红楼梦》——曹雪芹'.repeat(3)],
])(
  'quotation marks and dashes are no letters of another encoding: %s %s',
  async (encoding, text) => {
    expect(await anyText(iconv.encode(text, encoding))).toEqual({ text, encoding })
  },
)

const code = Array.from({ length: 60 }, (_, n) => `  total += prices[${n}] * count\n`).join('')

test.each([
  ['windows-1251', 'вывод результата'],
  ['windows-1253', 'ο πίνακας των τιμών'],
  ['shift_jis', '合計を計算する'],
  ['gb18030', '计算总价格'],
  ['windows-1250', 'součet všech položek příštího měsíce'],
  ['windows-1255', 'סכום כל המחירים'],
])('a comment in %s between lines of code is read', async (encoding, comment) => {
  const text = `${code}  // ${comment}\n${code}`
  expect((await anyText(iconv.encode(text, encoding)))?.text).toBe(text)
})

test.each([
  ['windows-1251', 'ПРИКАЗ\r\nО НАЗНАЧЕНИИ НА ДОЛЖНОСТЬ ДИРЕКТОРА\r\n'],
  ['windows-1251', 'ИМЯ;ГОРОД\r\nИВАНОВ;МОСКВА\r\n'],
  ['windows-1253', 'ΟΝΟΜΑ;ΠΟΛΗ\r\nΠΑΠΑΔΟΠΟΥΛΟΣ;ΑΘΗΝΑ\r\n'],
  ['koi8-r', 'приказ о назначении на должность директора'],
])('letters in %s may all be capitals, or none: %j', async (encoding, text) => {
  expect((await anyText(iconv.encode(text, encoding)))?.text).toBe(text)
})

test.each([
  ['shift_jis', '銀行名,支店,口座名義\r\n三菱,本店,ﾔﾏﾀﾞ ﾀﾛｳ\r\n'],
  ['cp850', 'Größe;Menge\r\nGroß;3\r\n'],
  [
    'cp850',
    'fuser ne verra pas les périphériques montés par des processus dans un espace de nommage différent.\n',
  ],
  ['windows-1251', 'Минимальное значение равно 1000, а максимальное значение равно 999,999,999.\n'],
])('a word in %s has no signs of another encoding: %j', async (encoding, text) => {
  expect((await anyText(iconv.encode(text, encoding)))?.text).toBe(text)
})

test('one character of private use leaves a text of East Asia as it is', async () => {
  const text = '図書館は朝の九時に開きます。日曜日は休みです。'
  const bytes = Buffer.concat([iconv.encode(text, 'shift_jis'), Buffer.of(0xf0, 0x40)])
  expect((await anyText(bytes))?.text.startsWith(text)).toBe(true)
})

test('carriage returns alone end lines', async () => {
  const bytes = Buffer.from('Name;Town\rAnn;Keld\r')
  expect((await readHere({ name: 'a.csv', bytes })).text).toBe('Name;Town\nAnn;Keld\n')
})

test.each([
  ['the end of a file of DOS', 'Tür;12\r\n\x1a\x1a', 'Tür;12\r\n'],
  ['steps back in a log', 'Build |\b/\b- done\nTür', 'Build |\b/\b- done\nTür'],
])('%s makes no other file of a text', async (_, written, text) => {
  for (const encoding of ['utf-8', 'windows-1252']) {
    expect((await readHere({ name: 'a.txt', bytes: iconv.encode(written, encoding) })).text).toBe(
      text,
    )
  }
})

test.each(['a\x1ab', '\x1a\x1ab', 'ab\x07'])('%j is no text', async (written) => {
  const read = readHere({ name: 'a.txt', bytes: Buffer.from(written) })
  await expect(read).rejects.toMatchObject({ code: 'unsupported_media_type' })
})

const cyrillic = Buffer.from('cde0f1eef1', 'hex')

test.each([
  ['text/plain; charset=windows-1251', 'Насос'],
  ['text/plain; charset="CP1251"', 'Насос'],
  ['text/plain; charset=cp866', undefined],
  ['text/csv; charset=koi8-r', 'мЮЯНЯ'],
  ['text/plain; charset=base64', 'Насос'],
  ['text/plain; charset=unknown-8bit', 'Насос'],
])('the charset of %s is obeyed where there is one of that name', async (mediaType, text) => {
  const read = (await readHere({ name: 'a.txt', mediaType, bytes: cyrillic })).text
  if (text === undefined) expect(read).not.toBe('Насос')
  else expect(read).toBe(text)
})

test.each(['us-ascii', 'ASCII', 'ANSI_X3.4-1968'])(
  'the charset %s says nothing of letters that it lacks',
  async (charset) => {
    const mediaType = `text/plain; charset=${charset}`
    const bytes = Buffer.from('Größe')
    expect((await readHere({ name: 'a.txt', mediaType, bytes })).text).toBe('Größe')
  },
)

test('a mark says more than a charset', async () => {
  const bytes = Buffer.from('\ufeffAt nine.', 'utf16le')
  const mediaType = 'text/plain; charset=iso-8859-1'
  expect((await readHere({ name: 'a.txt', mediaType, bytes })).text).toBe('At nine.')
})

test.each([
  ['Latin-1', Buffer.from('Größe;12;Länge\r\n', 'latin1')],
  ['UTF-8', Buffer.from('Größe;12;Länge\r\n')],
  ['UTF-16', Buffer.from('Größe;12;Länge\r\n', 'utf16le')],
])('the server looks at 4 MiB of %s for no more than a moment', (_, line) => {
  const bytes = Buffer.concat(Array<Buffer>(Math.floor((4 * 1024 * 1024) / line.length)).fill(line))
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    plainTextOf(bytes, {})
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  expect(Math.min(...times)).toBeLessThan(100)
})
