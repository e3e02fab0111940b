import { assembled, stream } from '../support/documents/pdf.ts'

/** Text at a place; `font` is F1 (Helvetica), F2 (its bold) or F3 (the font in question). */
type Drawn = { x: number; y: number; text: string; font?: string; size?: number; before?: string }

const draw = ({ x, y, text, font = 'F1', size = 11, before = '' }: Drawn): string => {
  const shown = text.startsWith('<') ? text : `(${text.replaceAll(/[\\()]/g, '\\$&')})`
  return `q ${before} BT /${font} ${size} Tf 1 0 0 1 ${x} ${y} Tm ${shown} Tj ET Q`
}

/** Objects from number 10 on are its own. */
type Page = { drawn: Drawn[]; page?: string; font?: string; objects?: string[]; root?: string }

/** A PDF of a page on which these texts are drawn, in this order. */
export function drawnPdf({ drawn, page = '', font, objects = [], root = '' }: Page): Buffer {
  const fontOf = (name: string) =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
  return assembled([
    `<< /Type /Catalog /Pages 2 0 R ${root} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R /F3 7 0 R >> >> ${page} >>`,
    stream(Buffer.from(drawn.map(draw).join('\n'), 'latin1')),
    fontOf('Helvetica'),
    fontOf('Helvetica-Bold'),
    font ?? fontOf('Courier'),
    '<< >>',
    '<< >>',
    ...objects,
  ])
}

/** A font that is named with its encoding and not embedded. */
export const namedFont = (name: string, encoding: string, ordering: string): string =>
  `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /${encoding} /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${name} /DW 1000 /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /${name} /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>] >>`
