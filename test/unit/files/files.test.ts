import { afterEach, expect, test, vi } from 'vitest'
import { TooManyRequests } from '../../../src/errors/errors.ts'
import type { FileText } from '../../../src/files/file-text.ts'
import { Files } from '../../../src/files/files.ts'
import { Deadline } from '../../../src/process/deadline.ts'

afterEach(() => void vi.useRealTimers())

const page = { name: 'hours.html', mediaType: '', bytes: Buffer.from('<html><p>At nine.') }

test('the time of a file begins when it is read, not while it waits for others', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const begins = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<FileText>())
  let begun = 0
  const read = () => {
    begins[begun]!.resolve()
    return gates[begun++]!.promise
  }
  const files = new Files({ read, close: () => undefined })
  const ask = () => {
    const deadline = new Deadline(60)
    deadline.start()
    return deadline.enforce(files.read(page, 'ann', deadline))
  }
  const asked = Array.from({ length: 5 }, ask)
  const late = expect(asked[4]).rejects.toMatchObject({ code: 'request_timeout' })
  // Two of one workspace are read at a time.
  for (const first of [0, 2]) {
    await begins[first + 1]!.promise
    vi.advanceTimersByTime(59_000)
    for (const one of [first, first + 1]) {
      gates[one]!.resolve({ text: 'At nine.' })
      expect((await asked[one]!).text).toBe('At nine.')
    }
  }
  await begins[4]!.promise
  vi.advanceTimersByTime(60_000)
  await late
})

test('when too many files of a workspace wait the next is refused, and the others are read', async () => {
  const read = Promise.withResolvers<FileText>()
  const files = new Files({ read: () => read.promise, close: () => undefined })
  const ask = (workspace: string) => {
    return files.read(page, workspace, new Deadline(60))
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
