import { expect, test } from 'vitest'
import { ServiceError } from '../../src/errors/errors.ts'
import { refused, samples } from './other-kinds.ts'
import { zipOf } from '../support/documents/packages.ts'
import { readHere } from './read-here.ts'

test.each(samples)('$title', async ({ name, bytes, text }) => {
  expect((await readHere({ name, bytes })).text).toBe(text)
})

test.each(refused)('%s is refused by name', async (_, bytes, detail) => {
  const error = await readHere({ name: 'a', bytes }).catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(ServiceError)
  expect(error).toMatchObject({ code: 'unsupported_media_type' })
  expect((error as ServiceError).message).toContain(detail)
})

test.each(['text', 'spreadsheet', 'presentation'])(
  'an OpenDocument of the type %s with a password is refused as encrypted',
  async (type) => {
    const bytes = zipOf({
      mimetype: `application/vnd.oasis.opendocument.${type}`,
      'META-INF/manifest.xml':
        '<manifest:manifest><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>',
      'content.xml': Buffer.from('00ff13c2', 'hex'),
    })
    await expect(readHere({ name: 'a', bytes })).rejects.toMatchObject({
      code: 'unreadable_file',
      message: 'The file is encrypted. Save it without a password.',
    })
  },
)
