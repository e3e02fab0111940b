import {
  docxOf,
  docxOfBody,
  epubOf,
  pptxOf,
  relationshipsXml,
  type SheetCell,
  wordParagraph,
  xlsxOf,
  zipOf,
} from '../support/documents/packages.ts'
import { footnotes, inline, moved, prefixed, styled, styles } from '../support/documents/parts.ts'
import { listedAgain } from '../support/documents/odd-zip.ts'
import { oddPdf } from '../support/documents/odd-pdf.ts'
import { assembled, pdfOf, pdfOfContents, stream } from '../support/documents/pdf.ts'

/** A file, what it is answered, and the text that is kept of it. */
export type FileCase = {
  title: string
  name: string
  bytes: () => Buffer
  answer: string
  text?: string
}

const fine = (title: string, name: string, bytes: () => Buffer, text?: string): FileCase => ({
  title,
  name,
  bytes,
  answer: '201',
  ...(text !== undefined && { text }),
})
const refused =
  (answer: string) =>
  (title: string, name: string, bytes: () => Buffer): FileCase => ({
    title,
    name,
    bytes,
    answer,
  })
const unsupported = refused('unsupported_media_type')
const unreadable = refused('unreadable_file')
const noText = refused('no_text')
const tooLong = refused('payload_too_large')

const utf8 = (text: string) => () => Buffer.from(text)
const latin1 = (text: string) => () => Buffer.from(text, 'latin1')
const marked = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16()
const halfOf = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)

const lines = ['The library opens at nine.', 'Books may be kept for four weeks.']
const aPdf = () => pdfOf([lines])
const aDocx = () => docxOf([{ text: 'Hours', level: 1 }, ...lines])
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const zeros = (megabytes: number) => Buffer.alloc(megabytes * 1024 * 1024)
const secret = '00'.repeat(32)
const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${secret}> /U <${secret}> /P -4 >> /ID [<00><00>]`

/** What a sheet holds, and what is read of it. */
const cells: [title: string, cell: SheetCell, text: string][] = [
  ['a day', { value: 46086, format: 14 }, '2026-03-05'],
  ['a day and a time', { value: 46086.604166666664, format: 22 }, '2026-03-05 14:30'],
  ['a time of day', { value: 0.604166666666667, format: 20 }, '14:30'],
  ['a time with seconds', { value: 0.5 + 7 / 86_400, format: 21 }, '12:00:07'],
  ['hours of a week', { value: 1.5625, format: '[h]:mm' }, '37:30'],
  ['a day in words', { value: 46086, format: '[$-409]dddd, mmmm d, yyyy;@' }, '2026-03-05'],
  ['a day in Chinese', { value: 46086, format: 'yyyy"年"m"月"d"日"' }, '2026-03-05'],
  ['money', { value: 46086, format: '[Red]_-* #,##0.00\\ "days"_-' }, '46,086.00 days'],
  ['a day before any', { value: -3, format: 14 }, '-3'],
  ['a number past the last day', { value: 3_000_000, format: 14 }, '3000000'],
  ['what a sum leaves behind', { value: '0.30000000000000004', format: 0 }, '0.3'],
  ['an id of 19 digits', { value: '1234567890123456789', format: 0 }, '1234567890123456789'],
  ['an exponent', { value: '1.5E-3', format: 0 }, '0.0015'],
  ['a share', { value: 0.125, format: '0.0%' }, '12.5%'],
  ['a share by number', { value: 0.07, format: 9 }, '7%'],
  ['euros', { value: 1234.5, format: '#,##0.00\\ [$€-407]' }, '1,234.50 €'],
  ['dollars', { value: 1234.5, format: '_("$"* #,##0.00_)' }, '$1,234.50'],
  ['francs', { value: -3, format: '[$CHF]\\ #,##0' }, '-CHF 3'],
  ['yes', true, 'TRUE'],
  ['no', false, 'FALSE'],
]

/** The sizes that a zip says its entries unpack to, made small. */
function lyingZip(): Buffer {
  const bytes = zipOf({ 'word/document.xml': zeros(8) })
  const size = Buffer.from(Uint32Array.of(zeros(8).length).buffer)
  for (let at = bytes.indexOf(size); at >= 0; at = bytes.indexOf(size)) bytes.writeUInt32LE(64, at)
  return bytes
}

export const files: FileCase[] = [
  fine('plain text', 'hours.txt', utf8('The library opens at nine.'), 'The library opens at nine.'),
  fine('Markdown', 'hours.md', utf8('# Hours\n\nAt *nine*.'), '# Hours\n\nAt *nine*.'),
  fine('CSV', 'hours.csv', utf8('day,opens\nMonday,9\n'), 'day,opens\nMonday,9\n'),
  fine('JSON', 'hours.json', utf8('{"opens":9}'), '{"opens":9}'),
  fine('a text without an ending', 'README', utf8('Read me.'), 'Read me.'),
  fine('a text with a byte order mark', 'a.txt', utf8('\ufeffAt nine.'), 'At nine.'),
  fine('UTF-16, little end first', 'a.txt', () => marked('Größe: 九時'), 'Größe: 九時'),
  fine('UTF-16, big end first', 'b.txt', () => swapped(marked('Größe: 九時')), 'Größe: 九時'),
  fine('Latin-1', 'c.txt', latin1('Größe, naïve café'), 'Größe, naïve café'),
  fine('Windows-1252', 'd.txt', () => Buffer.from([0x93, 0x61, 0x94, 0x80]), '“a”€'),
  fine('Windows-1251', 'e.txt', () => Buffer.from('c1e8e1ebe8eef2e5eae0', 'hex'), 'Библиотека'),
  fine('Markdown that begins with a tag', 'r.md', utf8('<p>Hi</p>\n\n# A'), '<p>Hi</p>\n\n# A'),
  fine('code', 'a.ts', utf8('const a = b < c'), 'const a = b < c'),
  fine('XML', 'a.xml', utf8('<?xml version="1.0"?><a>b</a>'), '<?xml version="1.0"?><a>b</a>'),
  fine(
    'HTML',
    'hours.html',
    utf8(
      '<!DOCTYPE html><html><head><title>T</title><style>p{}</style></head><body><nav>Menu</nav>' +
        '<h1>Opening <em>hours</em></h1><p>At&nbsp;nine,<br>daily.</p><script>x()</script>' +
        '<ul><li>Monday<ul><li>early</li></ul></li><li>Sunday</li></ul><pre>a\n  b</pre>' +
        '<table><tr><th>Day</th><th>Hour</th></tr><tr><td>Monday</td><td><p>9 | 10</p></td></tr></table>' +
        '<h3>Lending</h3>Four <b>weeks</b>.</body></html>',
    ),
    '# Opening hours\n\nAt nine,\ndaily.\n\n- Monday\n  - early\n- Sunday\n\n```\na\n  b\n```\n\n' +
      '| Day | Hour |\n| --- | --- |\n| Monday | 9 \\| 10 |\n\n### Lending\n\nFour weeks.',
  ),
  fine(
    'HTML with spans, numbers, items of paragraphs and what no reader sees',
    'saved.html',
    utf8(
      '<!doctype html><html><body><p hidden>no</p><div style="color:red; Display : none">no</div>' +
        '<dialog>no</dialog><p hidden="until-found">Folded.</p><h2>Rules<a class="headerlink" href="#r">¶</a></h2><p>Hyphen&shy;ated <ruby>東京<rt>とうきょう</rt></ruby>,' +
        '<math><semantics><mi>x</mi><mn>2</mn><annotation encoding="application/x-tex">x^2</annotation></semantics></math> 10<sup>6</sup> y<sup>2</sup> 5 km<sup>2</sup> note<sup>7</sup> 1<sup>st</sup><span aria-hidden="true">x</span>.</p>' +
        '<ol start="3"><li><p>Ask</p><p>twice.</p></li><li value="7"><p>Wait</p><ul><li>here</li></ul></li></ol>' +
        '<table><caption>Hours</caption><tr><th rowspan="2">Day</th><th colspan="2">Open</th></tr>' +
        '<tr><th>from</th><th>to</th></tr><tr><td>Mon</td><td>9<table><tr><td>a</td><td>b</td></tr></table></td><td colspan="0">18</td></tr></table>',
    ),
    'Folded.\n\n## Rules\n\nHyphenated 東京,x^2 10^6 y^2 5 km^2 note7 1st.\n\n3. Ask\n\ntwice.\n\n7. Wait\n   - here\n\nHours\n\n' +
      '| Day | Open from | Open to |\n| --- | --- | --- |\n| Mon | 9 a b | 18 |',
  ),
  fine(
    'XHTML whose elements close themselves',
    'a.xhtml',
    utf8(
      '<?xml version="1.0"?><html><head><title/></head><body><p>At <![CDATA[nine]]>.</p></body></html>',
    ),
    'At nine.',
  ),
  fine('HTML without its frame, by its name', 'a.htm', utf8('<h2>A</h2>b<p>c'), '## A\n\nb\n\nc'),
  fine('HTML named a text', 'a.txt', utf8('<html><body><p>At nine.'), 'At nine.'),
  fine(
    'HTML that says its charset',
    'a.html',
    () =>
      Buffer.concat([
        Buffer.from('<html><meta charset="shift_jis"><p>'),
        Buffer.from('8be38e9e', 'hex'),
      ]),
    '九時',
  ),
  fine('HTML in UTF-16', 'b.html', () => marked('<html><p>九時</html>'), '九時'),
  fine('PDF', 'hours.pdf', aPdf, lines.join('\n')),
  fine('PDF, packed', 'packed.pdf', () => pdfOf([lines], { packed: true }), lines.join('\n')),
  fine('PDF named a text', 'hours.txt', aPdf, lines.join('\n')),
  fine('PDF behind other bytes', 'e.pdf', () => Buffer.concat([Buffer.from('\n\n'), aPdf()])),
  fine(
    'PDF with headings, paragraphs, hyphens and pages',
    'headings.pdf',
    () =>
      pdfOf([
        [
          { text: 'Opening', size: 20 },
          { text: 'hours', size: 20 },
          { text: 'The library is for every-', gap: 30 },
          'body. It opens at nine.',
          'It closes at six.',
          { text: 'On Sundays it is closed, but', gap: 40 },
        ],
        ['not in December.', { text: 'Lending', size: 15, gap: 40 }, 'Four weeks.', 'Then again.'],
      ]),
    '# Opening hours\n\nThe library is for everybody. It opens at nine.\nIt closes at six.\n\n' +
      'On Sundays it is closed, but\nnot in December.\n\n## Lending\n\nFour weeks.\nThen again.',
  ),
  fine(
    'PDF with the same head and foot on its pages',
    'margins.pdf',
    () =>
      pdfOf(
        ['one', 'two', 'three', 'four'].map((word, n) => ['Manual', `Text ${word}.`, `Page ${n}`]),
      ),
    'Text one.\n\nText two.\n\nText three.\n\nText four.',
  ),
  fine(
    'PDF drawn in another order, with letters of TeX, Arabic and a field',
    'odd.pdf',
    oddPdf,
    'Readers find\nthe offices, größer.\nالعربية\nName: Ada',
  ),
  fine(
    'PDF of two columns, over which a sentence and a word go on',
    'columns.pdf',
    () =>
      pdfOf([
        [
          'One column stays.',
          'It ends with insti-',
          { text: 'tutional lending. It goes', gap: -13.2, x: 320 },
          { text: 'on.', x: 320 },
        ],
      ]),
    'One column stays.\nIt ends with institutional lending. It goes\non.',
  ),
  fine(
    'PDF whose pages begin with rows of numbers',
    'table.pdf',
    () => pdfOf([1, 2, 3].map((n) => [`${n} 20 300`, 'One more.', `Page ${n} of 3`])),
    '1 20 300\nOne more.\n\n2 20 300\nOne more.\n\n3 20 300\nOne more.',
  ),
  fine(
    'PDF with accents',
    'f.pdf',
    () => pdfOf([['Gr\u00f6\u00dfe (ja) \\ caf\u00e9']]),
    'Größe (ja) \\ café',
  ),
  fine('PDF without its table of objects', 'g.pdf', () =>
    Buffer.from(
      aPdf()
        .toString('latin1')
        .replace(/xref[^]*trailer/, 'trailer'),
      'latin1',
    ),
  ),
  fine('DOCX', 'hours.docx', aDocx, `# Hours\n\n${lines.join('\n\n')}`),
  fine('DOCX named a PDF', 'hours.pdf', aDocx, `# Hours\n\n${lines.join('\n\n')}`),
  fine(
    'DOCX with a table',
    'table.docx',
    () =>
      docxOfBody(
        `<w:tbl>${[
          ['Day', 'Hour'],
          ['Monday', '9'],
        ]
          .map(
            (row) =>
              `<w:tr>${row.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join('')}</w:tr>`,
          )
          .join('')}</w:tbl>`,
      ),
    '| Day | Hour |\n| --- | --- |\n| Monday | 9 |',
  ),
  fine(
    'DOCX with revisions, fields, formulas, readings, boxes and hidden text',
    'inline.docx',
    () => docxOfBody(inline),
    'Kept new by Ada, shown: E=mc^2, 東京, (a)/(b).\n\nBefore\nbehind ☒\n\nIn a box.\n\nWith picture.',
  ),
  fine(
    'DOCX with headings by style, lists, merged cells and a note',
    'styles.docx',
    () => docxOfBody(styled, { 'word/styles.xml': styles, 'word/footnotes.xml': footnotes }),
    '# Part\n\n## Section\n\nText[1]\n\n| wide |  | c |\n| --- | --- | --- |\n| tall | b1 | c1 |\n| tall | b2 | c2 |\n\n' +
      '1. In August it is closed.',
  ),
  fine(
    'PPTX',
    'hours.pptx',
    () =>
      pptxOf([
        { title: 'Hours', texts: ['At nine.', 'Daily.'] },
        { title: 'Lending', texts: ['Four weeks.'] },
      ]),
    '# Hours\n\nAt nine.\n\nDaily.\n\n# Lending\n\nFour weeks.',
  ),
  fine(
    'PPTX in another order, with notes, a diagram and numbers of slides',
    'order.pptx',
    () =>
      pptxOf(
        [
          { title: 'Second', texts: [] },
          { title: 'First', texts: ['At nine.'] },
        ],
        moved,
      ),
    '# First\n\nAt nine.\n\nPlan, do.\n\nSay hello.\n\nIn March.\n\n# Second',
  ),
  fine(
    'XLSX',
    'hours.xlsx',
    () =>
      xlsxOf('Hours', [
        ['Day', 'Opens', 'Closes'],
        ['Monday', 9, 18],
        ['Sunday', '', 12],
      ]),
    '# Hours\n\n| Day | Opens | Closes |\n| --- | --- | --- |\n| Monday | 9 | 18 |\n| Sunday |  | 12 |',
  ),
  fine(
    'XLSX with dates, times, numbers and truth values',
    'cells.xlsx',
    () => xlsxOf('Cells', [['What', 'Value'], ...cells.map(([title, cell]) => [title, cell])]),
    `# Cells\n\n| What | Value |\n| --- | --- |\n${cells.map(([title, , text]) => `| ${title} | ${text} |`).join('\n')}`,
  ),
  fine(
    'XLSX that counts from 1904',
    'mac.xlsx',
    () =>
      xlsxOf('Due', [['Due'], [{ value: 44_624, format: 14 }]], {
        'xl/workbook.xml':
          '<workbook><workbookPr date1904="1"/><sheets><sheet name="Due" r:id="rId1"/></sheets></workbook>',
      }),
    '# Due\n\n| Due |\n| --- |\n| 2026-03-05 |',
  ),
  fine(
    'XLSX whose texts say how they are read',
    'tokyo.xlsx',
    () =>
      xlsxOf('City', [['City'], ['東京']], {
        'xl/sharedStrings.xml':
          '<sst><si><t>City</t></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si></sst>',
      }),
    '# City\n\n| City |\n| --- |\n| 東京 |',
  ),
  fine(
    'XLSX with prefixes, a chart sheet, a hidden sheet, empty columns and a written date',
    'prefixes.xlsx',
    () => zipOf(prefixed),
    '# Due\n\n| Due |  |\n| --- | --- |\n| 2026-03-05 14:30 | inline |',
  ),
  fine(
    'EPUB',
    'book.epub',
    () => epubOf(['<h1>One</h1><p>First.</p>', '<h1>Two</h1><p>Second.</p>']),
    '# One\n\nFirst.\n\n# Two\n\nSecond.',
  ),
  fine(
    'EPUB with a percent sign in a name',
    'percent.epub',
    () =>
      epubOf([], {
        'OEBPS/book.opf':
          '<opf:package><opf:item id="a" href="a%20b.xhtml"/><opf:item id="b" href="100%.xhtml"/><opf:itemref idref="b"/><opf:itemref idref="a"/></opf:package>',
        'OEBPS/a b.xhtml': '<p>Second.</p>',
        'OEBPS/100%.xhtml': '<p>First.</p>',
      }),
    'First.\n\nSecond.',
  ),
  fine('one line of a megabyte', 'line.txt', utf8('x'.repeat(1_048_576)), 'x'.repeat(1_048_576)),

  noText('an empty file', 'empty.txt', utf8('')),
  noText('a file of white space', 'blank.txt', utf8(' \n\u200b\ufeff')),
  noText('HTML of a script alone', 'app.html', utf8('<!doctype html><body><script>x</script>')),
  noText('a PDF of a picture alone', 'scan.pdf', () =>
    pdfOfContents([stream(Buffer.from('1 0 0 RG 0 0 9 9 re f'))]),
  ),
  noText('a DOCX without text', 'blank.docx', () => docxOf([''])),

  tooLong('one line of ten megabytes', 'long.txt', () => Buffer.alloc(10 * 1024 * 1024, 'x')),
  tooLong('one character too many', 'long.md', () => Buffer.alloc(8_388_609, 'x')),
  tooLong('a DOCX with too long a text', 'long.docx', () => docxOf(['x'.repeat(8_388_609)])),

  unsupported('a picture', 'a.png', () => Buffer.concat([png, zeros(1)])),
  unsupported('a picture named a PDF', 'a.pdf', () => png),
  unsupported('a picture named a text', 'a.txt', () => png),
  unsupported('a zip of other things', 'a.zip', () => zipOf({ 'a.txt': 'a' })),
  unsupported('a DOC of before 2007', 'a.doc', () => Buffer.concat([compound, zeros(1)])),
  unsupported('text with zero bytes', 'b.txt', utf8('a\0b')),
  unsupported('RTF', 'a.rtf', utf8('{\\rtf1\\ansi At nine.}')),
  unsupported('an XLSB', 'a.xlsb', () => zipOf({ 'xl/workbook.bin': zeros(1) })),
  unsupported('compressed text', 'a.txt.gz', () => Buffer.from('1f8b0800000000000003', 'hex')),

  unreadable('half a PDF without its objects', 'a.pdf', () =>
    Buffer.from('%PDF-1.7\n%âãÏÓ\nnothing more'),
  ),
  unreadable('a PDF with a password', 'b.pdf', () => pdfOf([lines], { trailer: encryption })),
  unreadable('a PDF whose pages go in a circle', 'c.pdf', () =>
    assembled(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']),
  ),
  unreadable('half a DOCX', 'a.docx', () => halfOf(aDocx())),
  unreadable('a DOCX with a password', 'b.docx', () =>
    Buffer.concat([compound, zeros(1), Buffer.from('EncryptedPackage', 'utf16le')]),
  ),
  unreadable('a DOCX of broken XML', 'c.docx', () => docxOfBody('<w:p><w:r')),
  unreadable('a DOCX whose body is nested too deep', 'd.docx', () =>
    docxOfBody('<w:sdt><w:sdtContent>'.repeat(20_000)),
  ),
  unreadable(
    'HTML that is nested too deep',
    'a.html',
    utf8(`<html>${'<div>'.repeat(200_000)}deep`),
  ),
  unreadable('a zip bomb of one entry', 'e.docx', () =>
    docxOfBody('', { 'word/big.xml': zeros(65) }),
  ),
  unreadable('a zip bomb of many entries', 'f.docx', () =>
    docxOfBody(
      '',
      Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`word/${n}.xml`, zeros(4)])),
    ),
  ),
  unreadable('a zip bomb that says it is small', 'g.docx', lyingZip),
  unreadable('a DOCX that lists a large part 15,000 times as empty', 'h.docx', () =>
    listedAgain(docxOfBody('', { '00000.xml': zeros(16) }), 15_000, 0),
  ),
  unreadable('an XLSX without its sheets', 'a.xlsx', () =>
    zipOf({ 'xl/workbook.xml': '<workbook><sheets><sheet r:id="rId1"/></sheets></workbook>' }),
  ),
  unreadable('an XLSX without its texts', 'b.xlsx', () =>
    zipOf({
      'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="rId1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': relationshipsXml([['worksheet', 'worksheets/sheet1.xml']]),
      'xl/worksheets/sheet1.xml':
        '<worksheet><sheetData><row><c t="s"><v>0</v></c><c><v>5</v></c></row></sheetData></worksheet>',
    }),
  ),
  unreadable('an EPUB without its list', 'a.epub', () =>
    zipOf({ 'META-INF/container.xml': '<container><rootfile full-path="none.opf"/></container>' }),
  ),
]
