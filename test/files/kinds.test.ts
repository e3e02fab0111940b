import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { startServer } from '../support/server.ts'
import { makeDatastore } from '../support/things.ts'
import { files } from './files.ts'

/** Files of every kind, sound and not, and what each must be answered. */

const { client } = await startServer({ requestTimeout: 600 })
const id = await makeDatastore(client)

test.for(files)('$title: $answer', { concurrent: true }, async ({ bytes, name, answer, text }) => {
  const file = new File([new Uint8Array(bytes())], name)
  const { data, error, response } = await sdk.uploadFile({ client, path: { id }, body: { file } })
  expect([response?.status, error?.code].filter(Boolean).join(' ')).toBe(answer)
  if (!data || text === undefined) return
  expect(data.name).toBe(name)
  const path = { id, datasourceId: data.id }
  const got = await sdk.getDatasource({ client, path, throwOnError: true })
  expect(got.data.text).toBe(text)
})

test('the table has a file for each thing that goes wrong', () => {
  const answers = new Set(files.map(({ answer }) => answer))
  expect(answers).toEqual(
    new Set([
      '201',
      '413 payload_too_large',
      '415 unsupported_media_type',
      '422 no_text',
      '422 unreadable_file',
    ]),
  )
  expect(files.length).toBeGreaterThanOrEqual(40)
})
