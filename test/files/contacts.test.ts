import { expect, test } from 'vitest'
import { readHere } from './read-here.ts'

const textOf = async (lines: string[]): Promise<string> =>
  (await readHere({ name: 'a.vcf', bytes: Buffer.from(lines.join('\r\n')) })).text

const begin = 'BEGIN:VCARD'
const end = 'END:VCARD'

test('contacts are read below their names, in any version', async () => {
  const newest = [
    'FN:Dr. Lars Petersen',
    'N:Petersen;Lars;;Dr.;',
    'ORG:Nordlicht\\, Inc.;Sales',
    'item1.TEL;TYPE="work,voice";VALUE=uri:tel:+49-431-12345',
    'TEL;TYPE=CELL:0171 99',
    'ADR;TYPE=WORK:;;Harbour St. 5;Kiel;;24103;Germany',
    'BDAY:19750409',
    'PHOTO;ENCODING=b:AAAA',
    ' BBBB',
    'NOTE:Prefers mail\\, no',
    '  calls\\nbefore noon',
  ]
  const oldest = [
    'N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=FC=',
    'rgen',
    'TEL;HOME:030 55',
    'EMAIL:jm@example.org',
  ]
  const text = await textOf([begin, ...newest, end, begin, ...oldest, end])
  expect(text).toBe(
    '## Dr. Lars Petersen\n\nOrganization: Nordlicht, Inc., Sales\nPhone (work): +49-431-12345\nPhone (cell): 0171 99\n' +
      'Address (work): Harbour St. 5, Kiel, 24103, Germany\nBirthday: 1975-04-09\n\nPrefers mail, no calls\nbefore noon\n\n' +
      '## Jürgen Müller\n\nPhone (home): 030 55\nEmail: jm@example.org',
  )
})

test('contacts that say nothing but a name keep it', async () => {
  expect(await textOf([begin, 'FN:Ann', end])).toBe('## Ann')
})

test('a contact with thousands of parameters is read', async () => {
  const parameters = ';QUOTED-PRINTABLE,'.repeat(4_000)
  expect(await textOf([begin, `NOTE;TYPE=A${parameters}`, 'FN:Ann', end])).toBe('## Ann')
})
