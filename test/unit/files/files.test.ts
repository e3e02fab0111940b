import { expect, test } from 'vitest'
import { TooManyRequests } from '../../../src/errors/errors.ts'
import type { FileText } from '../../../src/files/file-text.ts'
import { Files } from '../../../src/files/files.ts'
import { Deadline } from '../../../src/scheduling/deadline.ts'

test('when too many files of a workspace wait the next is refused, and the others are read', async () => {
  const read = Promise.withResolvers<FileText>()
  const files = new Files({ read: () => read.promise, close: () => undefined })
  const ask = (workspace: string) => {
    const file = { name: 'hours.html', mediaType: '', bytes: Buffer.from('<html><p>At nine.') }
    return files.read(file, workspace, new Deadline(60))
  }
  const asked = Array.from({ length: 16 }, () => ask('ann'))
  const refused = { constructor: TooManyRequests, retryAfter: expect.any(Number) }
  await expect(ask('ann')).rejects.toMatchObject(refused)
  asked.push(ask('bob'))
  read.resolve({ text: 'At nine.' })
  const texts = (await Promise.all(asked)).map(({ text }) => text)
  expect(texts).toEqual(Array.from({ length: 17 }, () => 'At nine.'))
  // Those that were read have given their places back.
  expect((await ask('ann')).text).toBe('At nine.')
})
