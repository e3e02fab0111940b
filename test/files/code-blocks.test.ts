import { expect, test } from 'vitest'
import { docxOfBody, openDocumentOf, wordParagraph } from '../support/documents/packages.ts'
import { readHere } from './read-here.ts'

const textOf = async (bytes: Buffer): Promise<string> => (await readHere({ name: 'a', bytes })).text

const style = (id: string, name: string, base = '') =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="${base}"/></w:style>`
const styles = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${style('Quelltext', 'Source Code')}${style('Listing1', 'Listing 1', 'Quelltext')}${style('HTML', 'HTML Preformatted')}</w:styles>`
const word = (id: string, ...runs: string[]) =>
  `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr>${runs.map((run) => `<w:r><w:rPr><w:b/></w:rPr>${run}</w:r>`).join('')}</w:p>`
const said = (text: string) => `<w:t xml:space="preserve">${text}</w:t>`

test('code of DOCX keeps its blanks and lines, by the style of its paragraphs', async () => {
  const body = [
    wordParagraph('Run it.'),
    word(
      'Quelltext',
      said('if late:'),
      '<w:br/>',
      said('    pay(  1)'),
      '<w:br/><w:tab/>',
      said('x'),
    ),
    wordParagraph('Or:'),
    word('Listing1', said('a:')),
    word('Listing1', said('  b: 1')),
    word('Listing1'),
    word('Listing1', said('c: &lt;2')),
    wordParagraph('And:'),
    word('HTML', said('  end')),
  ]
  expect(await textOf(docxOfBody(body.join(''), { 'word/styles.xml': styles }))).toBe(
    'Run it.\n\n```\nif late:\n    pay(  1)\n\tx\n```\n\nOr:\n\n```\na:\n  b: 1\n \nc: <2\n```\n\nAnd:\n\n```\n  end\n```',
  )
})

const open = (name: string, text: string) => `<text:p text:style-name="${name}">${text}</text:p>`

test('code of ODT keeps its blanks and lines, and ends with its style', async () => {
  const body = [
    open('Standard', 'Run it.'),
    open('P1', 'if late:'),
    '\n<text:soft-page-break/>\n',
    open('P1', '<text:s text:c="4"/>pay(<text:span>\n  <text:s/>1</text:span>)'),
    open('P1', ''),
    open('Preformatted_20_Text', '<text:tab/>x<text:line-break/>y'),
    '<text:list><text:list-item>',
    open('Standard', 'Then'),
    open('P1', '<text:s/>a'),
    '\n  ',
    open('P1', 'b'),
    '</text:list-item></text:list>',
    open('P1', 'c<text:note><text:note-body><text:p>Why?</text:p></text:note-body></text:note>'),
    open('Standard', 'End.'),
  ]
  const named =
    '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Preformatted_20_Text"/>'
  expect(await textOf(openDocumentOf('text', body.join(''), named))).toBe(
    'Run it.\n\n```\nif late:\n    pay(  1)\n\n\tx\ny\n```\n\n- Then\n\n```\n a\nb\n```\n\n```\nc[1]\n```\n\nEnd.\n\n1. Why?',
  )
})
