import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { atAddress } from '../../../../src/http/pages/pages.ts'

const declared = 'http://127.0.0.1:3000'
const document = {
  info: { description: `All "servers":\nservers: ${declared}` },
  servers: [{ url: declared }],
  externalDocs: { description: 'What is new.', url: `${declared}/changes` },
}
const elsewhere = {
  ...document,
  servers: [{ url: 'https://example.org/api' }],
  externalDocs: { ...document.externalDocs, url: 'https://example.org/api/changes' },
}

test.each([
  ['JSON', JSON.stringify(document), (text: string): unknown => JSON.parse(text)],
  ['YAML', stringify(document), (text: string): unknown => parse(text)],
])(
  '%s has the address in its servers and external docs, whatever a description above them says',
  (_, text, read) => {
    const at = atAddress(text, declared)
    expect(read(at('https://example.org/api'))).toEqual(elsewhere)
    expect(read(at(undefined))).toEqual(document)
  },
)
