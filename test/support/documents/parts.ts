import { relationshipsXml } from './packages.ts'

/** Parts of documents as programs write them, with what readers of them easily miss. */

const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const drawn = (text: string) =>
  `<w:drawing><wps:txbx><w:txbxContent><w:p>${run(text)}</w:p></w:txbxContent></wps:txbx></w:drawing>`
export const inline =
  `<w:p>${run('Kept ')}<w:ins>${run('new ')}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>` +
  `${run('by ')}<w:fldSimple w:instr="AUTHOR">${run('Ada')}</w:fldSimple><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>` +
  `<w:r><w:rPr><w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange></w:rPr><w:t>, shown</w:t></w:r>` +
  `${run(': ')}<m:oMath><m:r><m:t>E=m</m:t></m:r><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>` +
  `${run(', ')}<w:r><w:ruby><w:rt>${run('とうきょう')}</w:rt><w:rubyBase>${run('東京')}</w:rubyBase></w:ruby></w:r>${run(', ')}` +
  `<m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f><w:dir>${run('.')}</w:dir></w:p>` +
  `<w:p>${run('Before')}<w:r><w:br w:type="page"/></w:r>${run('behind ')}` +
  `<w:sdt><w:sdtPr><w14:checkbox/></w:sdtPr><w:sdtContent>${run('☒')}</w:sdtContent></w:sdt><w:r><mc:AlternateContent>` +
  `<mc:Choice>${drawn('In a box.')}</mc:Choice><mc:Fallback>${run('not again')}</mc:Fallback></mc:AlternateContent></w:r></w:p>` +
  `<w:p><w:r>${drawn('With picture.')}</w:r></w:p>`

const styleOf = (id: string, more: string) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/>${more}</w:style>`
const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
export const styles = `<w:styles ${word}>${styleOf('berschrift1', '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>')}${styleOf('Corp-2', '<w:basedOn w:val="Mid"/>')}${styleOf('Mid', '<w:basedOn w:val="H2"/>')}<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style></w:styles>`
export const footnotes = `<w:footnotes ${word}><w:footnote w:id="2"><w:p>${run('In August it is closed.')}</w:p></w:footnote></w:footnotes>`
const cell = (text: string, properties = '') =>
  `<w:tc><w:tcPr>${properties}</w:tcPr><w:p>${run(text)}</w:p></w:tc>`
export const styled =
  `<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr>${run('Part')}</w:p><w:p><w:pPr><w:pStyle w:val="Corp-2"/></w:pPr>${run('Section')}</w:p>` +
  `<w:p>${run('Text')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p><w:tbl><w:tr>${cell('wide', '<w:gridSpan w:val="2"/>')}${cell('c')}</w:tr>` +
  `<w:tr>${cell('tall', '<w:vMerge w:val="restart"/>')}${cell('b1')}${cell('c1')}</w:tr><w:tr>${cell('', '<w:vMerge/>')}${cell('b2')}${cell('c2')}</w:tr></w:tbl>`

const slideText = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`
const placeholder = (type: string, text: string) =>
  `<p:sp><p:nvPr><p:ph type="${type}"/></p:nvPr>${slideText(text)}</p:sp>`
export const moved = {
  'ppt/_rels/presentation.xml.rels': relationshipsXml([
    ['slide', '/ppt/slides/slide2.xml'],
    ['slide', 'slides/slide1.xml'],
  ]),
  'ppt/slides/_rels/slide2.xml.rels': relationshipsXml([
    ['notesSlide', '../notesSlides/notesSlide1.xml'],
    ['diagramData', '../diagrams/data1.xml'],
  ]),
  'ppt/diagrams/data1.xml': `<dgm:dataModel><dgm:t>${slideText('Plan, do.')}</dgm:t></dgm:dataModel>`,
  'ppt/notesSlides/notesSlide1.xml': `<p:notes>${placeholder('body', 'Say hello.')}${placeholder('dt', 'In March.')}${placeholder('sldNum', '7')}<a:p><a:fld><a:t>8</a:t></a:fld></a:p></p:notes>`,
}

export const prefixed = {
  'xl/workbook.xml':
    '<x:workbook><x:sheets><x:sheet name="Chart" o:id="rId1"/><x:sheet name="Lists" state="veryHidden" o:id="rId2"/><x:sheet name="Due" o:id="rId2"/></x:sheets></x:workbook>',
  'xl/_rels/workbook.xml.rels': relationshipsXml([
    ['chartsheet', 'chartsheets/sheet1.xml'],
    ['worksheet', '/xl/worksheets/sheet.xml'],
  ]),
  'xl/worksheets/sheet.xml':
    '<x:worksheet><x:row><x:c r="B2" t="str"><x:v>Due</x:v></x:c></x:row><x:row><x:c r="B3" t="d"><x:v>2026-03-05T14:30:00.000Z</x:v></x:c><x:c r="D3" t="inlineStr"><x:is><x:t>inline</x:t></x:is></x:c></x:row></x:worksheet>',
}
