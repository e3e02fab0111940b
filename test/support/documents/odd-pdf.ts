import { assembled, stream } from './pdf.ts'

/** From left to right, as some programs draw Arabic: the letters of a word by their places in it. */
const arabic = ['fe94', 'fef4', 'fe91', 'feae', 'fecc', 'fedf', '0627']

const drawn = (x: number, y: number, text: string, font = 'F1'): string =>
  `BT /${font} 11 Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET`

/** Shows text, and in it the codes A and B of fonts that say of them what TeX has there. */
const withLigatures = (text: string): string =>
  text.replace(/[AB]/, (code) => `) Tj /F2 11 Tf (${code}) Tj /F1 11 Tf (`)

/** A page that is drawn from below, with letters as TeX has them, a line of Arabic, and a field that is filled in. */
export function oddPdf(): Buffer {
  // Of 6 points each, and in two fonts by turns, so that each is drawn alone.
  const letters = arabic.map((_, index) =>
    drawn(60 + 6 * index, 680, String.fromCharCode(97 + index), index % 2 === 0 ? 'F2' : 'F3'),
  )
  const content = [
    drawn(60, 640, 'Name:'),
    ...letters,
    drawn(60, 720, withLigatures('the oBces, gr\\250o\\337er.')),
    drawn(60, 734, withLigatures('Readers And')),
  ]
  const codes = [...arabic.map((to, index) => [97 + index, to]), [65, '001c'], [66, '001e']]
  const pairs = codes.map(([from, to]) => `<${Number(from).toString(16)}> <${to}>`)
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${pairs.length} beginbfchar ${pairs.join(' ')} endbfchar endcmap end end`
  const fontOf = (name: string, more = '') =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding ${more} >>`
  const mapped = `/ToUnicode 8 0 R /FirstChar 65 /LastChar 103 /Widths [${'545 '.repeat(39)}]`
  return assembled([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [7 0 R] >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Annots [7 0 R] /Resources << /Font << /F1 5 0 R /F2 6 0 R /F3 9 0 R >> >> >>',
    stream(Buffer.from(content.join('\n'), 'latin1')),
    fontOf('Helvetica'),
    fontOf('Helvetica', mapped),
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada) /Rect [100 636 200 652] /P 3 0 R >>',
    stream(Buffer.from(map)),
    fontOf('Helvetica-Bold', mapped),
  ])
}
