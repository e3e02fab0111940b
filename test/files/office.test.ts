import { expect, test } from 'vitest'
import {
  docxOfBody,
  openDocumentOf,
  pptxOf,
  relationshipsXml,
  wordParagraph,
  xlsxOf,
  zipOf,
} from '../support/documents/packages.ts'
import { readHere } from './read-here.ts'

const textOf = async (bytes: Buffer): Promise<string> => (await readHere({ name: 'a', bytes })).text

const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (text: string, properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr>${run(text)}</w:p>`
const inList = (text: string, list: number, level = 0) =>
  paragraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`)

const level = (place: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${place}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`
const numbering =
  `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="0">${level(0, 'upperRoman', 'Article %1')}${level(1, 'decimal', '%1.%2', '<w:isLgl/>')}${level(2, 'lowerLetter', '(%3)')}</w:abstractNum>` +
  `<w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '•')}</w:abstractNum>` +
  '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>' +
  '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num></w:numbering>'
const parts = {
  'word/numbering.xml': numbering,
  'word/_rels/document.xml.rels': relationshipsXml([
    ['styles', 'styles.xml'],
    ['numbering', 'numbering.xml'],
    ['diagramData', 'diagrams/data1.xml'],
  ]),
}

test('clauses of DOCX have the numbers that Word writes', async () => {
  const body = [
    inList('Rent', 1),
    inList('It is due.', 1, 1),
    inList('In cash.', 1, 2),
    inList('By card.', 1, 2),
    paragraph('Between.'),
    inList('It is late.', 1, 1),
    inList('Keys', 1),
    inList('A bullet.', 2),
    inList('Two are lent.', 1, 1),
    inList('Ends', 3),
  ]
  expect(await textOf(docxOfBody(body.join(''), parts))).toBe(
    'Article I Rent\n1.1 It is due.\n(a) In cash.\n(b) By card.\n\nBetween.\n\n1.2 It is late.\nArticle II Keys\n- A bullet.\n2.1 Two are lent.\nArticle V Ends',
  )
})

test('what DOCX strikes out without a tracked change stays', async () => {
  const body = `<w:p>${run('It costs ')}${run('99', '<w:strike/>')}${run(' 79 euros.')}</w:p>`
  expect(await textOf(docxOfBody(body))).toBe('It costs 99 79 euros.')
})

test('a paragraph of DOCX before which Word shows no sign is no item', async () => {
  const blank = `${level(0, 'bullet', ' ')}${level(1, 'none', '')}${level(2, 'bullet', '', '<w:lvlPicBulletId w:val="0"/>')}`
  const lists = numbering.replace(
    '<w:num w:numId="1">',
    `<w:abstractNum w:abstractNumId="9">${blank}</w:abstractNum><w:num w:numId="9"><w:abstractNumId w:val="9"/></w:num>$&`,
  )
  const body = [
    inList('Rent', 1),
    inList('It is due.', 9),
    inList('In cash.', 9, 1),
    inList('A picture.', 9, 2),
    inList('Keys', 1),
  ]
  expect(await textOf(docxOfBody(body.join(''), { ...parts, 'word/numbering.xml': lists }))).toBe(
    'Article I Rent\n\nIt is due.\n\nIn cash.\n\n    - A picture.\nArticle II Keys',
  )
})

test('headings of DOCX have the numbers of their styles', async () => {
  const style = (id: string, n: number) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="heading ${n}"/><w:pPr><w:numPr><w:ilvl w:val="${n - 1}"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>`
  const styles = `<w:styles>${style('Heading1', 1)}${style('Heading2', 2)}</w:styles>`
  const body = [
    wordParagraph({ text: 'Rent', level: 1 }),
    wordParagraph({ text: 'When', level: 2 }),
    `<w:p><w:pPr><w:pStyle w:val="Heading1"/><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr>${run('Annex')}</w:p>`,
    wordParagraph({ text: 'Keys', level: 1 }),
  ]
  const bytes = docxOfBody(body.join(''), { ...parts, 'word/styles.xml': styles })
  expect(await textOf(bytes)).toBe(
    '# Article I Rent\n\n## 1.1 When\n\n# Annex\n\n# Article II Keys',
  )
})

const bold = (text: string, size: number) =>
  `<w:p>${run(text, `<w:b/><w:sz w:val="${size}"/>`)}</w:p>`

test('bold lines of DOCX are headings by their size, below those by style', async () => {
  const body = [
    wordParagraph({ text: 'Handbook', level: 1 }),
    bold('Opening', 32),
    paragraph('At nine.'),
    bold('In winter', 26),
    paragraph('At ten.'),
    bold('Never on Sundays.', 26),
    bold('Call 0151 555 0199', 26),
    `<w:p>${run('Note', '<w:b/>')}${run(' well')}</w:p>`,
    `<w:tbl><w:tr><w:tc>${bold('Cell', 26)}</w:tc></w:tr></w:tbl>`,
    paragraph('More.'),
    paragraph('Still more.'),
  ]
  expect(await textOf(docxOfBody(body.join('')))).toBe(
    '# Handbook\n\n## Opening\n\nAt nine.\n\n### In winter\n\nAt ten.\n\nNever on Sundays.' +
      '\n\nCall 0151 555 0199\n\nNote well\n\nCell\n\nMore.\n\nStill more.',
  )
})

const boldInList = (text: string, list: number, place: number) =>
  inList(text, list, place).replace('<w:rPr>', '<w:rPr><w:b/>')

test('numbered bold lines of DOCX are headings with their numbers, by the level of their list', async () => {
  const body = [
    boldInList('Rent', 1, 0),
    boldInList('Due dates', 1, 1),
    inList('It is due.', 1, 1),
    boldInList('A bullet', 2, 0),
    `<w:tbl><w:tr><w:tc>${boldInList('Cell', 1, 1)}</w:tc></w:tr></w:tbl>`,
    paragraph('More.'),
    inList('It is late.', 1, 1),
    boldInList('Said in a sentence.', 1, 1),
  ]
  expect(await textOf(docxOfBody(body.join(''), parts))).toBe(
    '# Article I Rent\n\n## 1.1 Due dates\n\n1.2 It is due.\n- A bullet\n\n1.3 Cell\n\nMore.\n\n1.4 It is late.\n1.5 Said in a sentence.',
  )
})

test('a DOCX in which most numbered lines are bold has a list of them', async () => {
  const body = [boldInList('One', 1, 1), boldInList('Two', 1, 1), paragraph('Three.')]
  expect(await textOf(docxOfBody(body.join(''), parts))).toBe('1.1 One\n1.2 Two\n\nThree.')
})

test('a DOCX in which most lines are bold has no headings of them', async () => {
  const body = [bold('One', 24), bold('Two', 24), paragraph('Three.')]
  expect(await textOf(docxOfBody(body.join('')))).toBe('One\n\nTwo\n\nThree.')
})

test('a row of a DOCX that begins in a later column has its cells below theirs', async () => {
  const rowOf = (cells: string[], before = '') =>
    `<w:tr><w:trPr>${before}</w:trPr>${cells.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join('')}</w:tr>`
  const rows = [
    rowOf(['Boat', 'Day', 'Week']),
    rowOf(['1', '2'], '<w:gridBefore w:val="1"/>'),
    rowOf(['Raft', '3', '4']),
  ]
  expect(await textOf(docxOfBody(`<w:tbl>${rows.join('')}</w:tbl>`))).toBe(
    '| Boat | Day | Week |\n| --- | --- | --- |\n|  | 1 | 2 |\n| Raft | 3 | 4 |',
  )
})

test('headers and footers of DOCX are read once, without numbers of pages', async () => {
  const field = '<w:fldSimple w:instr=" PAGE "><w:r><w:t>7</w:t></w:r></w:fldSimple>'
  const bytes = docxOfBody(paragraph('Rules.') + paragraph('Said twice.'), {
    ...parts,
    'word/header1.xml': `<w:hdr>${paragraph('Valid until 2031')}${paragraph('Said twice.')}</w:hdr>`,
    'word/header2.xml': `<w:hdr>${paragraph('Valid until 2031')}</w:hdr>`,
    'word/footer1.xml': `<w:ftr><w:p>${run('Page ')}${field}${run(' of 9')}</w:p>${paragraph('Form 12-B &amp; C')}</w:ftr>`,
  })
  expect(await textOf(bytes)).toBe('Valid until 2031\n\nRules.\n\nSaid twice.\n\nForm 12-B & C')
})

test('headers and footers of ODT are read once, without numbers of pages', async () => {
  const line = (text: string) => `<text:p>${text}</text:p>`
  const page = (header: string, footer: string) =>
    `<style:master-page><style:header>${header}</style:header><style:header-first style:display="false">${line('Off')}</style:header-first><style:footer>${footer}</style:footer></style:master-page>`
  const number =
    'Page <text:page-number>7</text:page-number> of <text:page-count>9</text:page-count>'
  const pages = [
    page(line('Valid until <text:span>2031</text:span>') + line('Rules'), line(number)),
    page(line('Valid until 2031'), line(`Form 12-B<text:tab/>${number}`)),
  ]
  const styles = `<office:document-styles><office:master-styles>${pages.join('')}</office:master-styles></office:document-styles>`
  const body = '<text:h text:outline-level="1">Rules</text:h><text:p>Be kind.</text:p>'
  expect(await textOf(openDocumentOf('text', body, '', { 'styles.xml': styles }))).toBe(
    'Valid until 2031\n\n# Rules\n\nBe kind.\n\nForm 12-B Page of',
  )
})

test('a diagram of DOCX stands where it is drawn', async () => {
  const drawing =
    '<w:p><w:r><w:drawing><a:graphic><dgm:relIds r:dm="rId3"/></a:graphic></w:drawing></w:r></w:p>'
  const bytes = docxOfBody(paragraph('Before.') + drawing + paragraph('Behind.'), {
    ...parts,
    'word/diagrams/data1.xml':
      '<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Sort </a:t></a:r><a:r><a:t>it</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p/></dgm:t></dgm:pt></dgm:dataModel>',
  })
  expect(await textOf(bytes)).toBe('Before.\n\nSort it\n\nBehind.')
})

test('a large first letter of DOCX is joined to its word', async () => {
  const letter = (text: string, kind: string) =>
    `<w:p><w:pPr><w:framePr w:dropCap="${kind}" w:lines="3"/><w:rPr><w:sz w:val="112"/></w:rPr></w:pPr>${run(text)}</w:p>`
  const body = [
    letter('O', 'drop'),
    `<w:p><w:pPr/>${run('nce there was.')}</w:p>`,
    letter('T', 'margin'),
    paragraph('hen it rained.', '<w:rPr><w:lang w:val="en"/></w:rPr>'),
    letter('F', 'none'),
    paragraph('ramed.'),
  ]
  expect(await textOf(docxOfBody(body.join('')))).toBe(
    'Once there was.\n\nThen it rained.\n\nF\n\nramed.',
  )
})

const checkBox = (properties: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox>${properties}</w:checkBox></w:ffData></w:fldChar></w:r>` +
  '<w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'

test('check boxes of a form of DOCX are told', async () => {
  const [yes, no] = ['<w:default w:val="1"/>', '<w:default w:val="0"/>']
  const body = [
    `<w:p>${run('Meals:')}${checkBox(no)}${run('none')}${checkBox(`${no}<w:checked/>`)}${run('all')}</w:p>`,
    `<w:tbl><w:tr><w:tc><w:p>${checkBox(yes)}${run(' Lunch')}</w:p></w:tc><w:tc><w:p>${checkBox(`${yes}<w:checked w:val="0"/>`)}</w:p></w:tc></w:tr></w:tbl>`,
  ]
  expect(await textOf(docxOfBody(body.join('')))).toBe(
    'Meals: [ ] none [x] all\n\n| [x] Lunch | [ ] |\n| --- | --- |',
  )
})

const symbols = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
const script = (name: string, base: string, text: string) =>
  `<m:s${name}><m:e>${base}</m:e><m:${name.toLowerCase()}>${text}</m:${name.toLowerCase()}></m:s${name}>`

test.each([
  ['x^2', script('Sup', symbols('x'), symbols('2'))],
  ['x^(n+1)', script('Sup', symbols('x'), symbols('n') + symbols('+1'))],
  ['x_(i-1)', script('Sub', symbols('x'), symbols('i-1'))],
  ['x^(2^(n-1))', script('Sup', symbols('x'), script('Sup', symbols('2'), symbols('n-1')))],
  ['x^y', `${script('Sup', symbols('x'), symbols('y'))}<m:nary><m:e/></m:nary>`],
])(
  'an exponent or an index of DOCX of several parts is in parentheses: %s',
  async (text, formula) => {
    const bytes = docxOfBody(`<w:p>${run('It is ')}<m:oMath>${formula}</m:oMath>${run('.')}</w:p>`)
    expect(await textOf(bytes)).toBe(`It is ${text}.`)
  },
)

const root = (degree: string, radicand: string) =>
  `<m:rad><m:radPr><m:degHide m:val="${degree === '' ? 1 : 0}"/></m:radPr><m:deg>${degree}</m:deg><m:e>${radicand}</m:e></m:rad>`

test.each([
  ['2root(3, 8)', symbols('2') + root(symbols('3'), symbols('8'))],
  ['root(n+1, x^2)', root(symbols('n+1'), script('Sup', symbols('x'), symbols('2')))],
  [
    '√x√(y-1)',
    root('', symbols('x')) +
      root('', symbols('y') + symbols('-1')).replace('<m:deg></m:deg>', '<m:deg/>'),
  ],
  [
    'root(4, √(x+root(3, 2)))',
    root(symbols('4'), root('', symbols('x+') + root(symbols('3'), symbols('2')))),
  ],
])('a root of DOCX is told with its degree first: %s', async (text, formula) => {
  const bytes = docxOfBody(`<w:p>${run('It is ')}<m:oMath>${formula}</m:oMath>${run('.')}</w:p>`)
  expect(await textOf(bytes)).toBe(`It is ${text}.`)
})

type Box = { x?: number; y?: number; type?: string; idx?: number; body: string }
const slide = (boxes: Box[]) =>
  `<p:sld>${boxes.map(({ x, y, type, idx, body }) => `<p:sp><p:nvSpPr><p:nvPr>${type === undefined ? '' : `<p:ph type="${type}" idx="${idx ?? 0}"/>`}</p:nvPr></p:nvSpPr><p:spPr>${x === undefined ? '' : `<a:xfrm><a:off x="${x}" y="${y}"/></a:xfrm>`}</p:spPr><p:txBody>${body}</p:txBody></p:sp>`).join('')}</p:sld>`
const line = (text: string, properties = '', link = '') =>
  `<a:p><a:pPr ${properties}<a:r>${link === '' ? '' : `<a:rPr><a:hlinkClick r:id="${link}"/></a:rPr>`}<a:t>${text}</a:t></a:r></a:p>`

test('a slide is read by place, with the places of its layout, its title first', async () => {
  const bytes = pptxOf([{ title: '', texts: [] }], {
    'ppt/slides/slide1.xml': slide([
      { x: 5_000_000, y: 2_050_000, body: line('Right.', '/>') },
      { x: 100, y: 2_000_000, body: line('Left.', '/>') },
      { type: 'body', idx: 3, body: line('Top.', '/>') },
      { x: 100, y: 5_000_000, type: 'title', body: line('Title', '/>') },
      { x: 100, y: 4_000_000, body: line('See here', '/>', 'rId2') },
    ]),
    'ppt/slides/_rels/slide1.xml.rels':
      '<Relationships><Relationship Id="rId1" Type="x/slideLayout" Target="../slideLayouts/slideLayout1.xml"/><Relationship Id="rId2" Type="x/hyperlink" Target="https://a.example/x" TargetMode="External"/></Relationships>',
    'ppt/slideLayouts/slideLayout1.xml': slide([
      { x: 100, y: 1_000_000, type: 'body', idx: 3, body: line('Click to edit', '/>') },
    ]),
  })
  expect(await textOf(bytes)).toBe(
    '# Title\n\nTop.\n\nLeft.\n\nRight.\n\nSee here (https://a.example/x)',
  )
})

test('lists of a slide have their signs, numbers and levels', async () => {
  const bytes = pptxOf([{ title: '', texts: [] }], {
    'ppt/slides/slide1.xml': slide([
      {
        x: 0,
        y: 0,
        body: [
          line('Bring', '><a:buNone/></a:pPr>'),
          line('Saw', '><a:buAutoNum type="arabicPeriod"/></a:pPr>'),
          line('Teeth', 'lvl="1"><a:buChar char="•"/></a:pPr>'),
          line('File', '><a:buAutoNum type="arabicPeriod"/></a:pPr>'),
        ].join(''),
      },
    ]),
  })
  expect(await textOf(bytes)).toBe('Bring\n\n1. Saw\n  - Teeth\n2. File')
})

test('numbers of XLSX are as they are shown', async () => {
  const shown: [value: number, format: string | number, text: string][] = [
    [42, '000-000', '000-042'],
    [-1200, '#,##0;(#,##0)', '(1,200)'],
    [0, '0;-0;"none"', 'none'],
    [12_345_678, '0.0,,"M"', '12.3M'],
    [0.5, 12, '1/2'],
    [7.5, 2, '7.50'],
    [7.5, '0.0[', '7.5'],
  ]
  const rows = shown.map(([value, format], n) => [`row ${n}`, { value, format }])
  const lines = shown.map(([, , text], n) => `| row ${n} | ${text} |`)
  expect(await textOf(xlsxOf('A', [['What', 'Value'], ...rows]))).toBe(
    `# A\n\n| What | Value |\n| --- | --- |\n${lines.join('\n')}`,
  )
})

const ducks = ['2020 | 120 | 90', '2021 | 150 | 100'].map((row) => row.split(' | '))
const head = ['Year', 'Fresh', 'Salt']
const tableOf = (...rows: string[][]): string => {
  const [first, ...others] = rows.map((row) => `| ${row.join(' | ')} |`)
  return [first, `|${' --- |'.repeat(rows[0]!.length)}`, ...others].join('\n')
}
const gap: string[] = []

const tides = [
  ['2024', '1', '5', '2', '9'],
  ['2025', '2', '6', '3', '8'],
]
const zones = ['Zone', 'Ticket', 'Price']

test.each<[string, string[][], string]>([
  ['a title', [['Our ducks'], head, ...ducks], `Our ducks\n\n${tableOf(head, ...ducks)}`],
  [
    'a title, and an empty row below it',
    [['Our ducks'], gap, head, ...ducks],
    `Our ducks\n\n${tableOf(head, ...ducks)}`,
  ],
  [
    'names of groups above those of columns',
    [['', 'Ducks by water'], head, ...ducks],
    tableOf(['Year', 'Ducks by water Fresh', 'Salt'], ...ducks),
  ],
  [
    'names of groups above the first of their columns alone',
    [['', 'Fresh', '', 'Salt', ''], ['Year', 'Low', 'High', 'Low', 'High'], ...tides],
    tableOf(['Year', 'Fresh Low', 'Fresh High', 'Salt Low', 'Salt High'], ...tides),
  ],
  [
    'names of groups above each of their columns',
    [['', 'Fresh', 'Fresh', 'Salt', 'Salt'], ['Year', 'Low', 'High', 'Ebb', 'Flow'], ...tides],
    tableOf(['Year', 'Fresh Low', 'Fresh High', 'Salt Ebb', 'Salt Flow'], ...tides),
  ],
  [
    'groups of rows whose name stands in their first rows alone',
    [zones, ['A', 'Day', '6'], ['', 'Month', '58'], ['B', 'Day', '8'], ['', 'Month', '74']],
    tableOf(
      zones,
      ['A', 'Day', '6'],
      ['A', 'Month', '58'],
      ['B', 'Day', '8'],
      ['B', 'Month', '74'],
    ),
  ],
  [
    'rows without a title that some have',
    [zones, ['Dr', 'Ann', '6'], ['', 'Bob', '58'], ['Prof', 'Cem', '8'], ['', 'Dora', '74']],
    tableOf(zones, ['Dr', 'Ann', '6'], ['', 'Bob', '58'], ['Prof', 'Cem', '8'], ['', 'Dora', '74']),
  ],
  ['an empty row between its rows', [head, ducks[0]!, gap, ducks[1]!], tableOf(head, ...ducks)],
  [
    'a corner that is empty',
    [
      ['', 'Fresh'],
      ['May', 'none'],
      ['June', '7'],
    ],
    '| May | none |',
  ],
  [
    'another below it',
    [head, ...ducks, gap, ['Town', 'Ponds'], ['Umea', '4'], ['Lulea', '9']],
    `${tableOf(head, ...ducks)}\n\n${tableOf(['Town', 'Ponds'], ['Umea', '4'], ['Lulea', '9'])}`,
  ],
  [
    'another with a title below it',
    [head, ...ducks, gap, ['Ponds'], ['Umea', 'two'], ['Lulea', 'six']],
    `${tableOf(head, ...ducks)}\n\nPonds\n\n${tableOf(['Umea', 'two'], ['Lulea', 'six'])}`,
  ],
  [
    'a note below it',
    [head, ...ducks, gap, ['Counted in May.']],
    `${tableOf(head, ...ducks)}\n\nCounted in May.`,
  ],
])('a table of a sheet with %s', async (_, cells, text) => {
  expect(await textOf(xlsxOf('A', cells))).toContain(text)
})

test('rows below a merged cell of a sheet begin with it', async () => {
  const merges = '<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="A3:B3"/></mergeCells>'
  const cell = (place: string, text: string) =>
    `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`
  const rowOf = (number: number, ...texts: string[]) =>
    `<row r="${number}">${texts.map((text, n) => cell(`${'AB'[n]}${number}`, text)).join('')}</row>`
  const data = [rowOf(1, 'May'), rowOf(2, '1', 'Labour'), rowOf(3, 'June'), rowOf(4, '2', 'Ducks')]
  const bytes = xlsxOf('A', [], {
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${data.join('')}</sheetData>${merges}</worksheet>`,
  })
  expect(await textOf(bytes)).toBe(
    `# A\n\n${tableOf(['', '', ''], ['May', '1', 'Labour'], ['June', '2', 'Ducks'])}`,
  )
})

test('raised numbers of a slide and of a sheet are exponents, but none behind a word', async () => {
  const slideRun = (text: string, baseline = 0) =>
    `<a:r><a:rPr baseline="${baseline}"/><a:t>${text}</a:t></a:r>`
  const box = [
    slideRun('10'),
    slideRun('6', 30_000),
    slideRun(' in 30 days'),
    slideRun('1', 30_000),
  ]
  const slides = pptxOf([{ title: '', texts: [] }], {
    'ppt/slides/slide1.xml': `<p:sld><p:cSld><p:spTree><p:sp><p:txBody><a:p>${box.join('')}</a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
  })
  expect(await textOf(slides)).toBe('10^6 in 30 days1')
  const sheetRun = (text: string, align: string) =>
    `<r><rPr><vertAlign val="${align}"/></rPr><t>${text}</t></r>`
  const runs =
    sheetRun('10', 'baseline') + sheetRun('6', 'superscript') + sheetRun('7', 'subscript')
  const sheet = xlsxOf('A', [], {
    'xl/sharedStrings.xml': `<sst><si>${runs}</si></sst>`,
    'xl/worksheets/sheet1.xml':
      '<worksheet><sheetData><row><c t="s"><v>0</v></c></row></sheetData></worksheet>',
  })
  expect(await textOf(sheet)).toBe('# A\n\n10^67')
})

test('merged cells of a table on a slide leave the others in their columns', async () => {
  const cell = (text: string, merged = '') =>
    `<a:tc ${merged}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`
  const rowOf = (...cells: string[]) => `<a:tr>${cells.join('')}</a:tr>`
  const rows = [
    rowOf(cell(''), cell('Rent', 'gridSpan="2"'), cell('', 'hMerge="1"'), cell('Seats')),
    rowOf(cell('Boat'), cell('Day'), cell('Week'), cell('')),
    rowOf(cell('Raft', 'rowSpan="2"'), cell('12'), cell('70'), cell('4')),
    rowOf(cell('', 'vMerge="1"'), cell('15'), cell('80'), cell('5')),
    rowOf(cell('Canoe'), cell('free', 'gridSpan="2"'), cell('', 'hMerge="true"'), cell('2')),
  ]
  const table = `<a:graphic><a:graphicData><a:tbl>${rows.join('')}</a:tbl></a:graphicData></a:graphic>`
  const bytes = pptxOf([{ title: 'Boats', texts: [] }], {
    'ppt/slides/slide1.xml': `<p:sld><p:cSld><p:spTree><p:graphicFrame>${table}</p:graphicFrame></p:spTree></p:cSld></p:sld>`,
  })
  const body = [
    ['Raft', '12', '70', '4'],
    ['Raft', '15', '80', '5'],
    ['Canoe', 'free', '', '2'],
  ]
  expect(await textOf(bytes)).toBe(tableOf(['Boat', 'Rent Day', 'Rent Week', 'Seats'], ...body))
})

test('merged cells of a sheet name each column below them', async () => {
  const cell = (place: string, text: string) =>
    `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`
  const rows = [
    [cell('B1', '2024'), cell('D1', '2025')],
    ['Town', 'Net', 'Gross', 'Net', 'Gross'].map((name, n) => cell(`${'ABCDE'[n]}2`, name)),
    ['Umea', '1', '2', '3', '4'].map((text, n) => cell(`${'ABCDE'[n]}3`, text)),
  ]
  const data = rows.map((cells, n) => `<row r="${n + 1}">${cells.join('')}</row>`).join('')
  const merges = '<mergeCell ref="B1:C1"/><mergeCell ref="D1:XFD1"/>'
  const bytes = xlsxOf('A', [], {
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${data}</sheetData><mergeCells>${merges}</mergeCells></worksheet>`,
  })
  const names = ['Town', '2024 Net', '2024 Gross', '2025 Net', '2025 Gross']
  expect(await textOf(bytes)).toBe(`# A\n\n${tableOf(names, ['Umea', '1', '2', '3', '4'])}`)
})

test('characters that XLSX escapes are decoded', async () => {
  const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const bytes = xlsxOf('A', [], {
    'xl/sharedStrings.xml': '<sst><si><r><t>one_x00</t></r><r><t>0D_two_x0007_</t></r></si></sst>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row><c t="s"><v>0</v></c>${inline('a_x005F_x000D_b')}${inline('_xD83D__xDE00_')}${inline('x_x12_')}</row></sheetData></worksheet>`,
  })
  expect(await textOf(bytes)).toBe(
    '# A\n\n| one two | a_x000D_b | 😀 | x_x12_ |\n| --- | --- | --- | --- |',
  )
})

test('an XLSX without the usual folders is read', async () => {
  const main = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'
  const bytes = zipOf({
    '[Content_Types].xml': `<Types><Override PartName="/workbook.xml" ContentType="${main}"/></Types>`,
    '_rels/.rels': relationshipsXml([['officeDocument', 'workbook.xml']]),
    'workbook.xml': '<workbook><sheets><sheet name="Arrests" r:id="rId1"/></sheets></workbook>',
    '_rels/workbook.xml.rels': relationshipsXml([['worksheet', 'sheet1.xml']]),
    'sharedStrings.xml': '<sst><si><t>Day</t></si></sst>',
    'styles.xml': '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>',
    'sheet1.xml':
      '<worksheet><sheetData><row><c t="s"><v>0</v></c></row><row><c s="0"><v>46086</v></c></row></sheetData></worksheet>',
  })
  expect(await textOf(bytes)).toBe('# Arrests\n\n| Day |\n| --- |\n| 2026-03-05 |')
})

test.each([
  ['another name', 'Texts.xml', 'xl/Texts.xml'],
  ['a name of another case', 'sharedStrings.xml', 'xl/SharedStrings.xml'],
])('the texts of an XLSX are found by their relationship: %s', async (_, target, name) => {
  const bytes = zipOf({
    'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relationshipsXml([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['sharedStrings', target],
      ['styles', 'Formats.xml'],
    ]),
    [name]: '<sst><si><t>Due</t></si></sst>',
    'xl/Formats.xml': '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml':
      '<worksheet><sheetData><row><c t="s"><v>0</v></c><c s="0"><v>46086</v></c></row></sheetData></worksheet>',
  })
  expect(await textOf(bytes)).toBe('# A\n\n| Due | 2026-03-05 |\n| --- | --- |')
})

test('merged cells, links, formulas and boxes of XLSX are told', async () => {
  const cell = (place: string, text: string) =>
    `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`
  const bytes = xlsxOf('Sales', [], {
    'xl/worksheets/sheet1.xml':
      `<worksheet><sheetData><row r="1">${cell('A1', 'Region')}${cell('B1', 'Shop')}${cell('C1', 'Sum')}</row>` +
      `<row r="2">${cell('A2', 'North')}${cell('B2', 'Umea')}<c r="C2"><f>2*3</f></c></row>` +
      `<row r="4">${cell('B4', 'Lulea')}<c r="C4"><f>2*4</f><v>8</v></c></row></sheetData>` +
      '<mergeCells><mergeCell ref="A2:A4"/></mergeCells><hyperlinks><hyperlink ref="B4" r:id="rId1"/></hyperlinks></worksheet>',
    'xl/worksheets/_rels/sheet1.xml.rels':
      '<Relationships><Relationship Id="rId1" Type="x/hyperlink" Target="https://lulea.example/" TargetMode="External"/><Relationship Id="rId2" Type="x/drawing" Target="../drawings/drawing1.xml"/></Relationships>',
    'xl/drawings/drawing1.xml':
      '<xdr:wsDr><xdr:sp><a:p><a:r><a:t>Closed in</a:t></a:r></a:p><a:p><a:r><a:t>May.</a:t></a:r></a:p></xdr:sp></xdr:wsDr>',
  })
  expect(await textOf(bytes)).toBe(
    '# Sales\n\n| Region | Shop | Sum |\n| --- | --- | --- |\n| North | Umea | =2*3 |\n| North | Lulea (https://lulea.example/) | 8 |\n\nClosed in\n\nMay.',
  )
})

const series = (name: string, values: number[]) =>
  `<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>${name}</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strCache>${['Mon', 'Tue'].map((day, n) => `<c:pt idx="${n}"><c:v>${day}</c:v></c:pt>`).join('')}</c:strCache></c:cat><c:val><c:numCache>${values.map((value, n) => `<c:pt idx="${n}"><c:v>${value}</c:v></c:pt>`).join('')}</c:numCache></c:val></c:ser>`
const chart = `<c:chartSpace><c:title><a:p><a:r><a:t>Guests</a:t></a:r></a:p></c:title>${series('Adults', [4, 7])}${series('Pupils', [1, 2])}</c:chartSpace>`
const chartTable =
  'Guests\n\n|  | Adults | Pupils |\n| --- | --- | --- |\n| Mon | 4 | 1 |\n| Tue | 7 | 2 |'

test('a chart of PPTX and XLSX is a table of its numbers', async () => {
  const slides = pptxOf([{ title: 'Week', texts: [] }], {
    'ppt/slides/_rels/slide1.xml.rels': relationshipsXml([['chart', '../charts/chart1.xml']]),
    'ppt/charts/chart1.xml': chart,
  })
  expect(await textOf(slides)).toBe(`# Week\n\n${chartTable}`)
  const sheet = xlsxOf('Week', [['Day']], {
    'xl/worksheets/_rels/sheet1.xml.rels': relationshipsXml([['drawing', '../drawings/d1.xml']]),
    'xl/drawings/d1.xml': '<xdr:wsDr/>',
    'xl/drawings/_rels/d1.xml.rels': relationshipsXml([['chart', '../charts/chart1.xml']]),
    'xl/charts/chart1.xml': chart,
  })
  expect(await textOf(sheet)).toBe(`# Week\n\nDay\n\n${chartTable}`)
})

test('a chart of DOCX tells its numbers', async () => {
  const drawing =
    '<w:p><w:r><w:drawing><a:graphic><c:chart r:id="rId4"/></a:graphic></w:drawing></w:r></w:p>'
  const related: [string, string][] = [
    ['styles', 'styles.xml'],
    ['x', 'x.xml'],
    ['y', 'y.xml'],
    ['chart', 'charts/chart1.xml'],
  ]
  const bytes = docxOfBody(paragraph('Before.') + drawing, {
    'word/_rels/document.xml.rels': relationshipsXml(related),
    'word/charts/chart1.xml': chart,
  })
  expect(await textOf(bytes)).toBe(`Before.\n\n${chartTable}`)
})

test('numbers of a chart are as they are shown', async () => {
  const points = (texts: (string | number)[]) =>
    texts.map((text, n) => `<c:pt idx="${n}"><c:v>${text}</c:v></c:pt>`).join('')
  const column = (tag: string, format: string, values: (string | number)[]) =>
    `<c:${tag}><c:numRef><c:numCache><c:formatCode>${format}</c:formatCode>${points(values)}</c:numCache></c:numRef></c:${tag}>`
  const literal = `<c:val><c:numLit>${points([1])}</c:numLit></c:val>`
  const days = column('cat', 'd/m/yyyy', [44_624, 44_625])
  const bytes = pptxOf([{ title: 'Week', texts: [] }], {
    'ppt/slides/_rels/slide1.xml.rels': relationshipsXml([['chart', '../charts/chart1.xml']]),
    'ppt/charts/chart1.xml':
      `<c:chartSpace><c:date1904/><c:ser><c:tx><c:v>Rain</c:v></c:tx>${days}${column('val', 'General', ['8.200000000000001', '0.30000000000000004'])}</c:ser>` +
      `<c:ser>${column('val', '0.0%', [0.125])}</c:ser><c:ser>${literal}</c:ser></c:chartSpace>`,
  })
  expect(await textOf(bytes)).toBe(
    '# Week\n\n|  | Rain |  |  |\n| --- | --- | --- | --- |\n| 2026-03-05 | 8.2 | 12.5% | 1 |\n| 2026-03-06 | 0.3 |  |  |',
  )
})

test('a sheet of very many rows is read', async () => {
  const rows = Array.from({ length: 140_000 }, (_, index) => [index, 5])
  const text = await textOf(xlsxOf('A', rows))
  expect(text.endsWith('\n| 139999 | 5 |')).toBe(true)
})
