import { strToU8, zipSync } from 'fflate'

type Entries = Record<string, string | Uint8Array>

/** A zip of texts by name. */
export const zipOf = (entries: Entries): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(entries).map(([name, value]) => [
          name,
          typeof value === 'string' ? strToU8(value) : value,
        ]),
      ),
      { level: 1 },
    ),
  )

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const head = '<?xml version="1.0" encoding="UTF-8"?>'
const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

/** What a part refers to, as `rId1` and so on, by the last word of the type. */
export const relationshipsXml = (targets: [type: string, target: string][]): string =>
  `${head}<Relationships xmlns="${relationships}">${targets.map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`).join('')}</Relationships>`

/** A paragraph; a `level` makes it a heading. */
export type Paragraph = string | { text: string; level: number }

export const wordParagraph = (paragraph: Paragraph): string => {
  const { text, level } = typeof paragraph === 'string' ? { text: paragraph, level: 0 } : paragraph
  const style = level > 0 ? `<w:pPr><w:pStyle w:val="Heading${level}"/></w:pPr>` : ''
  return `<w:p>${style}<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`
}

/** A DOCX with this body in WordprocessingML. */
export const docxOfBody = (body: string, more: Entries = {}): Buffer =>
  zipOf({
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${relationships}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `${head}<Relationships xmlns="${relationships}"><Relationship Id="rId1" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'word/styles.xml': `${head}<w:styles xmlns:w="${word}">${[1, 2, 3].map((n) => `<w:style w:type="paragraph" w:styleId="Heading${n}"><w:name w:val="heading ${n}"/></w:style>`).join('')}</w:styles>`,
    'word/document.xml': `${head}<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
    ...more,
  })

export const docxOf = (paragraphs: Paragraph[]): Buffer =>
  docxOfBody(paragraphs.map(wordParagraph).join(''))

const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const presentation = 'http://schemas.openxmlformats.org/presentationml/2006/main'

/** A PPTX of slides with a title and paragraphs. */
export const pptxOf = (
  slides: { title: string; texts: string[] }[],
  more: Entries = {},
): Buffer => {
  const paragraph = (text: string) => `<a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p>`
  const shape = (type: string, texts: string[]) =>
    `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${texts.map(paragraph).join('')}</p:txBody></p:sp>`
  const entries = slides.map(({ title, texts }, index) => [
    `ppt/slides/slide${index + 1}.xml`,
    `${head}<p:sld xmlns:p="${presentation}" xmlns:a="${drawing}">${shape('title', [title])}${shape('body', texts)}</p:sld>`,
  ])
  const numbers = slides.map((_, index) => index + 1)
  return zipOf({
    'ppt/presentation.xml': `${head}<p:presentation xmlns:p="${presentation}" xmlns:r="${office}"><p:sldIdLst>${numbers.map((n) => `<p:sldId id="${255 + n}" r:id="rId${n}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationshipsXml(
      numbers.map((n) => ['slide', `slides/slide${n}.xml`]),
    ),
    ...Object.fromEntries(entries),
    ...more,
  })
}

/** A number as the sheet has it; `format` is a number of Excel's, or what is written for one. */
export type FormattedNumber = { value: number | string; format: number | string }
export type SheetCell = string | number | boolean | FormattedNumber

/** An XLSX of one sheet; its texts are shared strings, its numbers are not. */
export const xlsxOf = (name: string, rows: SheetCell[][], more: Entries = {}): Buffer => {
  const cells = rows.flat()
  const strings = cells.filter((cell) => typeof cell === 'string')
  const formats = cells.filter((cell) => typeof cell === 'object').map(({ format }) => format)
  const xmlOf = (cell: SheetCell, place: string) => {
    if (cell === '') return ''
    if (typeof cell === 'string') return `<c r="${place}" t="s"><v>${strings.indexOf(cell)}</v></c>`
    if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
    if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${Number(cell)}</v></c>`
    return `<c r="${place}" s="${formats.indexOf(cell.format) + 1}"><v>${cell.value}</v></c>`
  }
  const data = rows.map((row, number) => {
    const inRow = row.map((cell, column) =>
      xmlOf(cell, `${String.fromCharCode(65 + column)}${number + 1}`),
    )
    return `<row r="${number + 1}">${inRow.join('')}</row>`
  })
  const written = formats.map((format, index) =>
    typeof format === 'string'
      ? `<numFmt numFmtId="${164 + index}" formatCode="${escaped(format).replaceAll('"', '&quot;')}"/>`
      : '',
  )
  const styles = formats.map((format, index) =>
    typeof format === 'string' ? `<xf numFmtId="${164 + index}"/>` : `<xf numFmtId="${format}"/>`,
  )
  return zipOf({
    'xl/workbook.xml': `${head}<workbook xmlns:r="${office}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationshipsXml([['worksheet', 'worksheets/sheet1.xml']]),
    'xl/sharedStrings.xml': `${head}<sst>${strings.map((text) => `<si><t>${escaped(text)}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `${head}<styleSheet><numFmts>${written.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet><sheetData>${data.join('')}</sheetData></worksheet>`,
    ...more,
  })
}

/** An EPUB of chapters in XHTML, listed in the order given and named in another. */
export const epubOf = (chapters: string[], more: Entries = {}): Buffer => {
  const names = chapters.map((_, index) => `chapter-${chapters.length - index}.xhtml`)
  const pages = chapters.map((chapter, index) => [
    `OEBPS/${names[index]}`,
    `${head}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${chapter}</body></html>`,
  ])
  return zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `${head}<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
    'OEBPS/book.opf': `${head}<package><manifest>${names.map((name, index) => `<item id="c${index}" href="${name}"/>`).join('')}</manifest><spine>${names.map((_, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(pages),
    ...more,
  })
}

/** An ODT or an ODS with this body and these styles. */
export const openDocumentOf = (
  kind: 'text' | 'spreadsheet',
  body: string,
  styles = '',
  more: Entries = {},
): Buffer =>
  zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'META-INF/manifest.xml': `${head}<manifest:manifest/>`,
    'content.xml': `${head}<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...more,
  })
