import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { ServiceError } from '../../src/errors.ts'
import { Files } from '../../src/files/files.ts'
import { readFile } from '../../src/files/read-file.ts'
import { Deadline } from '../../src/scheduling/deadline.ts'
import { startServer } from '../support/server.ts'
import { makeDatastore } from '../support/things.ts'
import { type FileCase, files } from './files.ts'

/** Files of every kind, sound and not, and what each must be answered. */

const { client } = await startServer({ requestTimeout: 600 })
const id = await makeDatastore(client)

type Read = { answer: string; text?: string | undefined }

/** As a server reads it, without a process for each. */
async function readHere({ bytes, name }: FileCase): Promise<Read> {
  try {
    const file = { name, mediaType: '', bytes: bytes() }
    const here = new Files((content, isNamedHtml) => readFile(content, isNamedHtml))
    const { text } = await here.read(file, 'default', new Deadline(600))
    return { answer: '201', text }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { answer: error.code }
  }
}

async function upload({ bytes, name }: FileCase): Promise<Read> {
  const file = new File([new Uint8Array(bytes())], name)
  const { data, error, response } = await sdk.uploadFile({ client, path: { id }, body: { file } })
  const answer = error?.code ?? String(response?.status)
  if (!data) return { answer }
  expect(data.name).toBe(name)
  const path = { id, datasourceId: data.id }
  const got = await sdk.getDatasource({ client, path, throwOnError: true })
  return { answer, text: got.data.text }
}

/** Compares all at once, so that a failure names each file that is not read as it must be. */
async function expectAll(cases: FileCase[], read: (file: FileCase) => Promise<Read>) {
  const found = await Promise.all(
    cases.map(async (file): Promise<[string, Read]> => {
      const { answer, text } = await read(file)
      return [file.title, { answer, text: file.text === undefined ? undefined : text }]
    }),
  )
  const expected = cases.map(({ title, answer, text }): [string, Read] => [title, { answer, text }])
  expect(found).toEqual(expected)
}

test('each file has its text, or is refused as it must be', () => expectAll(files, readHere))

// Those of a PDF, a DOCX and HTML are sent by `manual.test.ts`.
test('over HTTP a file of each kind is read by a process and stored, and a broken one refused', () => {
  const ofKind = (kind: string) => files.find(({ name }) => name.endsWith(`.${kind}`))!
  const broken = files.filter(({ title }) => title.startsWith('a DOCX whose body is nested'))
  return expectAll([...['txt', 'pptx', 'xlsx', 'epub'].map(ofKind), ...broken], upload)
})
