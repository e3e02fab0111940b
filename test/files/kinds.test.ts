import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { ServiceError } from '../../src/errors/errors.ts'
import { startServer } from '../support/server.ts'
import { makeDatastore } from '../support/things.ts'
import { type FileCase, files } from './files.ts'
import { samples } from './other-kinds.ts'
import { readHere } from './read-here.ts'

/** Files of every kind, sound and not, and what each must be answered. */

const { client } = await startServer({ requestTimeout: 600 })
const id = await makeDatastore(client)

type Read = { answer: string; text?: string | undefined }

async function answerHere({ bytes, name }: FileCase): Promise<Read> {
  try {
    const { text } = await readHere({ name, bytes: bytes() })
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

test('each file has its text, or is refused as it must be', () => expectAll(files, answerHere))

// Those of a PDF, a DOCX and HTML are sent by `manual.test.ts`.
test(
  'over HTTP a file of each kind is read by a process and stored, and a broken one refused',
  { tags: 'deep' },
  () => {
    const others = samples.map((sample) => ({
      ...sample,
      bytes: () => sample.bytes,
      answer: '201',
    }))
    const ofKind = (kind: string) =>
      [...files, ...others].find(({ name }) => name.endsWith(`.${kind}`))!
    const broken = files.filter(({ title }) => title.startsWith('a DOCX whose body is nested'))
    return expectAll(
      [...['txt', 'pptx', 'xlsx', 'epub', 'eml', 'odt', 'ipynb'].map(ofKind), ...broken],
      upload,
    )
  },
)

test('the charset of a part of a form is obeyed', async () => {
  const bytes = Uint8Array.from([0xcd, 0xe0, 0xf1, 0xee, 0xf1])
  const file = new File([bytes], 'a.txt', { type: 'text/plain; charset=koi8-r' })
  const { data } = await sdk.uploadFile({ client, path: { id }, body: { file } })
  const path = { id, datasourceId: data!.id }
  const got = await sdk.getDatasource({ client, path, throwOnError: true })
  expect(got.data.text).toBe('мЮЯНЯ')
})
