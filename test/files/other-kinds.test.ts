import { expect, test } from 'vitest'
import { ServiceError } from '../../src/errors/errors.ts'
import { refused, samples } from './other-kinds.ts'
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
