import { expect, test } from 'vitest'
import { LogLines } from '../../../src/process/log.ts'

const failWith = (code: string) => Object.assign(new Error(code), { code })

/** A reader that takes so many bytes at a time, and fails as it is told to. */
function readerOf(bytesAtOnce: number) {
  const reader = { text: '', failure: undefined as string | undefined }
  const lines = new LogLines((bytes) => {
    if (reader.failure !== undefined) throw failWith(reader.failure)
    const taken = bytes.subarray(0, bytesAtOnce)
    reader.text += String(taken)
    return taken.length
  })
  return { reader, lines }
}

test('a reader that reads has each line at once, also one that it takes in parts', () => {
  const { reader, lines } = readerOf(3)
  lines.write('first line\n')
  expect(reader.text).toBe('first line\n')
  lines.write('second\n')
  expect(reader.text).toBe('first line\nsecond\n')
})

test('a reader that reads again is told how many lines were dropped, and has the last', () => {
  const { reader, lines } = readerOf(Infinity)
  lines.write('first\n')
  reader.failure = 'EAGAIN'
  const count = 3_000
  for (let n = 1; n <= count; n++) lines.write(`${n} ${'-'.repeat(1_000)}\n`)
  reader.failure = undefined
  lines.flush()
  const [first, begun, told, ...last] = reader.text.trimEnd().split('\n')
  expect([first, begun?.slice(0, 2)]).toEqual(['first', '1 '])
  const numbers = last.map((line) => Number(line.split(' ')[0]))
  expect(numbers.at(-1)).toBe(count)
  expect(numbers.at(0)).toBe(count - last.length + 1)
  expect(last.length).toBeGreaterThan(500)
  expect(JSON.parse(told ?? '')).toMatchObject({ level: 40, dropped: count - 1 - last.length })
})

test('a reader that reads again by itself gets what was held', async () => {
  const { reader, lines } = readerOf(Infinity)
  reader.failure = 'EAGAIN'
  lines.write('held\n')
  reader.failure = undefined
  await expect.poll(() => reader.text).toBe('held\n')
})

test('a reader that is gone does not delay the end', () => {
  let tries = 0
  const lines = new LogLines(() => {
    tries += 1
    throw failWith('EPIPE')
  })
  lines.write('lost\n')
  lines.flush()
  expect(tries).toBe(2)
})
