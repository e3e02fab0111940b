import { expect, test } from 'vitest'
import { docxOfBody, relationshipsXml, wordParagraph } from '../support/documents/packages.ts'
import { readHere } from './read-here.ts'

const mht = [
  'MIME-Version: 1.0',
  'Content-Type: multipart/related; boundary="x"',
  '',
  '--x',
  'Content-Type: text/html; charset="utf-8"',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<body><p>Twelve =C3=9F.</p></body>',
  '--x--',
]

test('files that Word imports where it opens a DOCX are read there, each once', async () => {
  const chunk = (id: number) => `<w:altChunk r:id="rId${id}"/>`
  const body = [
    wordParagraph('Before.'),
    '<w:altChunk r:id="rId1"><w:altChunkPr/></w:altChunk>',
    wordParagraph('Between.'),
    ...[2, 3, 1, 4, 5, 9].map(chunk),
  ]
  const bytes = docxOfBody(body.join(''), {
    'word/_rels/document.xml.rels': relationshipsXml([
      ['aFChunk', 'chunk.html'],
      ['aFChunk', '/word/chunk.mht'],
      ['aFChunk', 'afchunk.txt'],
      ['aFChunk', 'lost.html'],
      ['aFChunk', 'document.xml'],
    ]),
    'word/chunk.html': '<html><body><h2>Hours</h2><ul><li>At nine.</ul></body></html>',
    'word/chunk.mht': mht.join('\r\n'),
    'word/afchunk.txt': 'Plain.',
  })
  expect((await readHere({ name: 'a.docx', bytes })).text).toBe(
    'Before.\n\n## Hours\n\n- At nine.\n\nBetween.\n\nTwelve ß.\n\nPlain.',
  )
})
