import { expect, test } from 'vitest'
import { readHere } from './read-here.ts'

const textOf = async (html: string): Promise<string> =>
  (await readHere({ name: 'a.html', bytes: Buffer.from(`<!doctype html>${html}`) })).text

test.each([
  ['a title', '<title>Fares\n of trains</title><p>Half.', '# Fares of trains\n\nHalf.'],
  ['a title and a heading below', '<title>Fares</title><h2>Half</h2>x', '# Fares\n\n## Half\n\nx'],
  ['a title that the text begins with', '<title>Fares</title><h2>Fares</h2>x', '## Fares\n\nx'],
  ['a title and a top heading', '<title>Fares - Rail</title><h1>Fares</h1>x', '# Fares\n\nx'],
  [
    'what is struck out',
    '<p>It costs <del>99</del><ins>79</ins> euros, <s>was 120,</s> <strike>not</strike> in May.',
    'It costs 79 euros, in May.',
  ],
  ['a title of a picture', '<p>a<svg><title>b</title></svg></p>', 'a'],
])('%s', async (_, html, text) => {
  expect(await textOf(html)).toBe(text)
})

const page = (more: string) => `<body>${more}<main><h1>Leeks</h1><p>Leeks want sand.</p></main>`

test.each([
  '<header><a href="/">Shop</a></header>',
  '<div role="banner">Shop</div>',
  '<nav>Shop</nav>',
  '<div class="navigation" role="Navigation">Shop</div>',
  '<div id="cookie-consent">Shop</div>',
  '<section class="x gdpr-banner open">Shop</section>',
  '<div id="onetrust-consent-sdk"><p>Shop</p></div>',
  '<ul class="breadcrumbs"><li>Shop</ul>',
  '<aside>Shop</aside>',
  '<div id="footer" class="wide">Shop</div>',
  '<div class="wp-cookie-notice">Shop</div>',
  '<footer>Shop</footer>',
  '<main><div class="site-footer">Shop</div></main>',
  '<section class="footer">Shop</section>',
  '<div id="mdbook-help-popup"><h2>Keyboard shortcuts</h2></div>',
  '<div class="newsletter-modal">Shop</div>',
  '<p style="visibility: hidden">Shop</p>',
  '<p style="color:red;font-size:0">Shop</p>',
  '<div style="font-size:0px">Shop <b style="font-size:1em">open</b></div>',
  '<form><button>Shop</button></form>',
  '<div style="height:0; overflow:hidden">Shop</div>',
])('%s is no part of what a page is about', async (frame) => {
  expect(await textOf(page(frame))).toBe('# Leeks\n\nLeeks want sand.')
})

test.each([
  '<article><header>By Ann.</header></article>',
  '<article><p>x</p><footer>By Ann.</footer></article>',
  '<main><aside>By Ann.</aside></main>',
  '<div class="cookie-recipes">By Ann.</div>',
  '<div class="with-sidebar has-cookie-banner">By Ann.</div>',
  '<div class="menu">By Ann.</div>',
  '<div class="has-popup popup-books">By Ann.</div>',
  '<h2 id="opening-a-modal">By Ann.</h2>',
  '<section id="popup">By Ann.</section>',
  '<section id="breadcrumbs"><h2>By Ann.</h2></section>',
  '<h2 id="navigation">By Ann.</h2>',
  '<table><tr class="footer"><td>By Ann.</td></tr></table>',
  '<main><div id="cookies" class="footer">By Ann.</div></main>',
  '<p>See <a class="popup" href="x">By Ann.</a></p>',
  '<p style="font-size:0.9em">By Ann.</p>',
  '<div style="max-height:0.5em">By Ann.</div>',
  '<div style="font-size:0px;padding:20px 0"><p style="color:red;font-size:13px">By Ann.</p></div>',
  '<div style="font-size:0"><p style="font:bold 13px/1 Arial">By Ann.</p></div>',
  '<ul style="font-size:0"><li class="item">By Ann.</li></ul>',
  '<h2><button class="accordion-button"><span>By Ann.</span></button></h2>',
  '<details><summary><button>By Ann.</button></summary></details>',
])('%s is', async (content) => {
  expect(await textOf(page(content))).toContain('By Ann.')
})

test('the title of a page in its banner stays', async () => {
  expect(await textOf('<header>Shop<h1>Leeks</h1></header><p>Sand.')).toBe('# Leeks\n\nSand.')
})

test('a page of a frame alone is read as it is', async () => {
  expect(await textOf('<div role="dialog"><p>At nine.</p></div>')).toBe('At nine.')
})

test('links say where they lead, where that is outside and not said', async () => {
  const html =
    '<a href="https://a.example/x">the form</a>, <a href="tel:+46-115 00">the desk</a>, <a href="mailto:b@a.example?subject=x">mail</a>, ' +
    '<a href="https://www.a.example/">a.example</a>, <a href="/b">there</a>, <a href="#c">below</a>, <a href="https://a.example/i"><img></a>'
  expect(await textOf(`<p>${html}`)).toBe(
    'the form (https://a.example/x), the desk (+46-115 00), mail (b@a.example), a.example, there, below,',
  )
})

test.each([
  ['1931<sup><a href="#n3">3</a></sup>', '1931[3]'],
  ['1931<a href="notes.xhtml#n3"><sup>3</sup></a>', '1931[3]'],
  ['1931<a href="#n3" role="doc-noteref">3</a>', '1931[3]'],
  ['1931<a class="ref footnote" href="#n3">3</a>', '1931[3]'],
  ['dam<sup><a href="#n3">a</a></sup>', 'dam[a]'],
  ['the dam.<sup>3</sup>', 'the dam.[3]'],
  ['10<sup>6</sup>', '10^6'],
  ['<a href="#p3">10<sup>6</sup> bricks</a>', '10^6 bricks'],
  ['(a+b)<sup>2</sup> bricks', '(a+b)2 bricks'],
  ['<a href="#p3">3</a>', '3'],
])('the mark of a note is no part of the number or the word before it: %s', async (html, said) => {
  expect(await textOf(`<p>Built in ${html} of stone.`)).toBe(`Built in ${said} of stone.`)
})

test('where a name of the frame is that of nearly all, nothing is left out', async () => {
  const text = 'Leeks want sand. '.repeat(20).trim()
  expect(await textOf(`<p>Hi.<div class="sidebar"><p>${text}</div>`)).toBe(`Hi.\n\n${text}`)
})

const table = (...rows: string[]) => `<table><tr>${rows.join('</tr><tr>')}</tr></table>`
const long = 'The mill grinds the corn of three towns by the river. '.repeat(3).trim()

test.each([
  [
    'of one column keeps paragraphs, lists and tables',
    table(
      `<td><p>${long}</p><ul><li>Bring <b>corn</b></li><li>Pay</li></ul></td>`,
      `<td>${table('<th>Town<th>Fare', '<td>Keld<td>4')}</td>`,
    ),
    `${long}\n\n- Bring corn\n- Pay\n\n| Town | Fare |\n| --- | --- |\n| Keld | 4 |`,
  ],
  [
    'with a long text in a cell keeps its cells together',
    table(`<td>${long} ${long} ${long} ${long}</td><td>Town</td>`),
    `${long} ${long} ${long} ${long}\nTown`,
  ],
  [
    'of one column, which is short, keeps lines and tables',
    table(
      '<td>Thank you',
      `<td>${table('<th>Town<th>Fare', '<td>Keld<td>4')}</td>`,
      '<td>Order 88123',
    ),
    'Thank you\n\n| Town | Fare |\n| --- | --- |\n| Keld | 4 |\n\nOrder 88123',
  ],
  [
    'which is mostly around another, keeps that',
    table(`<td>${table('<th>Town<th>Fare', '<td>Keld<td>4')}</td><td>Daily</td>`),
    '| Town | Fare |\n| --- | --- |\n| Keld | 4 |\n\nDaily',
  ],
  [
    'of one row around another, keeps that',
    table(`<td>Home of the ferries<td>${table('<th>Town<th>Fare', '<td>Keld<td>4')}`),
    'Home of the ferries\n\n| Town | Fare |\n| --- | --- |\n| Keld | 4 |',
  ],
  [
    'that says so',
    '<table role="presentation"><tr><td>Meeting</td><td>869</td></tr></table>',
    'Meeting\n869',
  ],
])('a table that lays out a page, %s', async (_, html, text) => {
  expect(await textOf(html)).toBe(text)
})

test('a table with a small one in a cell is one', async () => {
  const small = table('<td>AM<td>8', '<td>PM<td>2')
  const html = table(
    '<th>Town<th>Ferries',
    `<td>Keld in the valley<td>${small}`,
    '<td>Muker<td>none',
  )
  expect(await textOf(html)).toBe(
    '| Town | Ferries |\n| --- | --- |\n| Keld in the valley | AM 8 PM 2 |\n| Muker | none |',
  )
})

test.each([
  [
    'above all, is its title',
    table('<th colspan=2>Fares', '<th>Town<th>Fare', '<td>Keld<td>4'),
    'Fares\n\n| Town | Fare |\n| --- | --- |\n| Keld | 4 |',
  ],
  [
    'between its rows, begins each row below',
    table(
      '<th>Town<th>Fare',
      '<td colspan=2>By day',
      '<td>Keld<td>4',
      '<td colspan=2>By night',
      '<td>Keld<td>7',
    ),
    '|  | Town | Fare |\n| --- | --- | --- |\n| By day | Keld | 4 |\n| By night | Keld | 7 |',
  ],
  [
    'below all, is a line',
    table('<th>Town<th>Fare', '<td>Keld<td>4', `<td colspan=2>${long}`),
    `| Town | Fare |\n| --- | --- |\n| Keld | 4 |\n\n${long}`,
  ],
  [
    'after another, stands beside it',
    table(
      '<td colspan=2>Fares',
      '<th>Town<th>Fare',
      '<td colspan=2>By day',
      '<td colspan=2>In May',
      '<td>Keld<td>4',
      '<td colspan=2>As of 2026',
    ),
    'Fares\n\n|  | Town | Fare |\n| --- | --- | --- |\n| By day In May | Keld | 4 |\n\nAs of 2026',
  ],
])('a cell over all columns, %s', async (_, html, text) => {
  expect(await textOf(html)).toBe(text)
})

test('a cell of the head ends another one, also where its tag is left out', async () => {
  expect(await textOf(table('<td><th>Day<th>Week', '<th>Dinghy<td>12<td>70'))).toBe(
    '|  | Day | Week |\n| --- | --- | --- |\n| Dinghy | 12 | 70 |',
  )
})

test('a cell over several rows stands in each, unless it is long', async () => {
  const rows = [
    '<th>Region<th>City',
    '<td rowspan=3>North<td>Oslo',
    '<td>Bergen',
    '<td rowspan=2>Narvik',
  ]
  expect(await textOf(table(...rows, '<td>South'))).toBe(
    '| Region | City |\n| --- | --- |\n| North | Oslo |\n| North | Bergen |\n| North | Narvik |\n| South | Narvik |',
  )
  expect(await textOf(table('<td>a<td>b', `<td rowspan=2>${long}<td>c`, '<td>d'))).toBe(
    `| a | b |\n| --- | --- |\n| ${long} | c |\n|  | d |`,
  )
})

test('a cell spans no rows of the body from the head', async () => {
  const html =
    '<table><thead><tr><th rowspan=2>Boat<th>Day<tbody><tr><td rowspan=9>Dinghy<td>12<tr><td>14<tbody><tr><td>Raft<td>9</table>'
  expect(await textOf(html)).toBe(
    '| Boat | Day |\n| --- | --- |\n| Dinghy | 12 |\n| Dinghy | 14 |\n| Raft | 9 |',
  )
})

test.each([
  [
    'spanned by a name',
    '<th rowspan=2>Boat<th colspan=2>Summer<th colspan=2>Winter',
    '| Boat | Summer Day | Summer Week | Winter Day | Winter Week |',
  ],
  [
    'below an empty cell',
    '<td></td><th colspan=2>Summer<th colspan=2>Winter',
    '| Boat | Summer Day | Summer Week | Winter Day | Winter Week |',
  ],
])('two rows of a head are one, %s', async (name, groups, head) => {
  const boat = name.includes('empty') ? '<th>Boat' : ''
  const rows = [
    groups,
    `${boat}<th>Day<th>Week<th>Day<th>Week`,
    '<td>Dinghy<td>12<td>70<td>9<td>50',
  ]
  expect(await textOf(table(...rows))).toBe(
    `${head}\n| --- | --- | --- | --- | --- |\n| Dinghy | 12 | 70 | 9 | 50 |`,
  )
})

test.each([
  [
    'also where one column has a name above alone',
    ['<th>Boat<th colspan=2>Rent<th>Seats', '<th><th>Day<th>Week<th>', '<td>Raft<td>1<td>2<td>4'],
    '| Boat | Rent Day | Rent Week | Seats |\n| --- | --- | --- | --- |\n| Raft | 1 | 2 | 4 |',
  ],
  [
    'also where years are below',
    ['<td></td><th colspan=2>Rent', '<th>Boat<th>2024<th>2025', '<td>Raft<td>1<td>2'],
    '| Boat | Rent 2024 | Rent 2025 |\n| --- | --- | --- |\n| Raft | 1 | 2 |',
  ],
  [
    'three too',
    [
      '<th rowspan=3>Boat<th colspan=4>Rent',
      '<th colspan=2>Summer<th colspan=2>Winter',
      '<th>Day<th>Week<th>Day<th>Week',
      '<td>Raft<td>1<td>2<td>3<td>4',
    ],
    '| Boat | Rent Summer Day | Rent Summer Week | Rent Winter Day | Rent Winter Week |\n' +
      '| --- | --- | --- | --- | --- |\n| Raft | 1 | 2 | 3 | 4 |',
  ],
  [
    'but no row of the body',
    ['<th>Name<th colspan=2>Contact', '<td>Ann<td>Sales<td>Upstairs', '<td>Bo<td>IT<td>12'],
    '| Name | Contact |  |\n| --- | --- | --- |\n| Ann | Sales | Upstairs |\n| Bo | IT | 12 |',
  ],
])('rows of a head are one, %s', async (_, rows, text) => {
  expect(await textOf(table(...rows))).toBe(text)
})

test('each of many rows may have a merged cell', async () => {
  const rows = Array.from({ length: 12_000 }, (_, n) => `<td>Boat ${n}<td colspan=2>Kiel`)
  const text = await textOf(table(...rows, '<td>Raft<td>1<td>2'))
  expect(text.split('\n').at(-2)).toBe('| Boat 11999 | Kiel |  |')
})

test('two rows of a head are one, also above rows that are a single cell', async () => {
  const rows = [
    '<th rowspan=2>Boat<th colspan=2>Summer<th colspan=2>Winter',
    '<th>Day<th>Week<th>Day<th>Week',
    '<td colspan=5>Small ones',
    '<td>Dinghy<td>12<td>70<td>9<td>50',
    '<td colspan=5>Large ones',
    '<td>Ship<td>120<td>700<td>90<td>500',
  ]
  expect(await textOf(table(...rows))).toBe(
    '|  | Boat | Summer Day | Summer Week | Winter Day | Winter Week |\n| --- | --- | --- | --- | --- | --- |\n' +
      '| Small ones | Dinghy | 12 | 70 | 9 | 50 |\n| Large ones | Ship | 120 | 700 | 90 | 500 |',
  )
})

test('ticked boxes of a list are told, and boxes that a reader can change are not', async () => {
  const item = (box: string, said: string) => `<li><input type="checkbox" ${box}> ${said}`
  const html = `<ul>${item('checked disabled', 'Order')}${item('disabled', 'Pay')}${item('checked', 'Menu')}</ul>`
  expect(await textOf(html)).toBe('- [x] Order\n- [ ] Pay\n- Menu')
})

test.each([
  ['<msup><mi>c</mi><mn>2</mn></msup>', 'c^2'],
  ['<mfrac><mn>1</mn><mn>2</mn></mfrac>', '1/2'],
  ['<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mrow><mn>2</mn></mrow></mfrac>', '(a+b)/2'],
  [
    '<msub><mi>x</mi><mn>1</mn></msub><mo>≤</mo><msqrt><mi>y</mi><mo>-</mo><mn>1</mn></msqrt>',
    'x_1≤√(y-1)',
  ],
  ['<mroot><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow><mn>3</mn></mroot>', 'root(3, x+1)'],
  ['<mi>sin</mi><mi>x</mi><mtext> if </mtext><mi>x</mi>', 'sin x if x'],
  ['<semantics><mn>2</mn><annotation-xml><ci>no</ci></annotation-xml></semantics>', '2'],
])('a formula %s is one line', async (formula, line) => {
  expect(await textOf(`<p>It is <math>${formula}</math>.<p>After.`)).toBe(
    `It is ${line}.\n\nAfter.`,
  )
  expect(await textOf(`<p>It is <math>${formula}<p>After.`)).toBe(`It is ${line}\n\nAfter.`)
})

test.each([
  ['type="a"', 'a.', 'b.'],
  ['type="A" start="26"', 'Z.', 'AA.'],
  ['type="i" start="3"', 'iii.', 'iv.'],
  ['type="I"', 'I.', 'II.'],
  ['type="a" start="0"', '0.', 'a.'],
  ['type="1"', '1.', '2.'],
])('a list of %s has its numbers', async (attributes, first, second) => {
  expect(await textOf(`<ol ${attributes}><li>Saw<ul><li>Teeth</ul><li>File</ol>`)).toBe(
    `${first} Saw\n   - Teeth\n${second} File`,
  )
})

const code = (...lines: string[]) => `\`\`\`\n${lines.join('\n')}\n\`\`\``

test.each([
  [
    'blocks for its lines',
    '<code><div class="ec-line">if (a) {</div><div><div>  b</div></div>\n<div>}\n</div></code>',
    code('if (a) {', '  b', '', '}'),
  ],
  ['a list of its lines', '<ol><li>if (a) {<li>  b</ol>', code('if (a) {', '  b')],
  ['a table of its lines', table('<td>1<td>if (a) {', '<td>2<td>  b'), code('1 if (a) {', '2   b')],
  [
    'two listings, one shown at a time',
    '<input type="checkbox"><code class="mjs">f(b)</code><code class="cjs">f(<code>c</code>)</code><button>copy</button>',
    code('f(b)', 'f(c)'),
  ],
  ['a fence in it', '```js\nx\n```', '````\n```js\nx\n```\n````'],
])('code with %s is one block', async (_, html, text) => {
  expect(await textOf(`<p>Run:<pre>${html}</pre>Then`)).toBe(`Run:\n\n${text}\n\nThen`)
})
