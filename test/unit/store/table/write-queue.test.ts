import { expect, test } from 'vitest'
import { Deadline } from '../../../../src/process/deadline.ts'
import { type Write, WriteQueue } from '../../../../src/store/table/write-queue.ts'

type Note = Write & { name: string }

const note = (name: string, touches?: string, rows = 1): Note => ({
  name,
  rows,
  ...(touches !== undefined && { touches: [touches] }),
})

/** A queue that notes what goes into each commit, and fails for those named `bad`. */
function noting() {
  const commits: string[][] = []
  let running = 0
  const queue = new WriteQueue<Note>(async (writes: Note[]) => {
    expect(++running).toBe(1)
    commits.push(writes.map(({ name }) => name))
    await Promise.resolve()
    running--
    if (writes.some(({ name }) => name === 'bad')) throw new Error('no')
  })
  return { queue, commits }
}

test('everything that waits goes into one commit, one at a time', async () => {
  const { queue, commits } = noting()
  const names = Array.from({ length: 600 }, (_, n) => String(n))
  for (let round = 0; round < 3; round++) {
    await Promise.all(names.map((name) => queue.write(note(name))))
  }
  expect(commits.map(({ length }) => length)).toEqual([512, 88, 512, 88, 512, 88])
})

test('a commit takes no more rows than the event loop bears, and always at least one write', async () => {
  const { queue, commits } = noting()
  const writes = [
    note('a', undefined, 5000),
    note('b', undefined, 2000),
    note('c', undefined, 2000),
  ]
  await Promise.all(writes.map((write) => queue.write(write)))
  expect(commits).toEqual([['a'], ['b'], ['c']])
})

test('writes that touch the same go into commits of their own, in the order they came', async () => {
  const { queue, commits } = noting()
  const writes = [note('x1', 'x'), note('y1', 'y'), note('x2', 'x'), note('z'), note('x3', 'x')]
  await Promise.all(writes.map((write) => queue.write(write)))
  expect(commits).toEqual([['x1', 'y1', 'z'], ['x2'], ['x3']])
})

test('a write that fails fails alone', async () => {
  const { queue, commits } = noting()
  const outcomes = await Promise.allSettled(
    ['a', 'bad', 'b'].map((name) => queue.write(note(name))),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(commits).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']])
})

test('a closed queue refuses what waits and what comes', async () => {
  const { queue, commits } = noting()
  const waiting = queue.write(note('a'))
  queue.close(() => new Error('closed'))
  await expect(waiting).rejects.toThrow('closed')
  await expect(queue.write(note('b'))).rejects.toThrow('closed')
  expect(commits).toEqual([])
  await queue.idle()
})

test('a write whose request has no time left when its turn comes is not done', async () => {
  const { queue, commits } = noting()
  const deadline = new Deadline(0.001)
  deadline.start()
  await new Promise((resolve) => deadline.signal.addEventListener('abort', resolve))
  const late = queue.write(note('late'), deadline)
  const other = queue.write(note('other'), new Deadline(60))
  await expect(late).rejects.toMatchObject({ code: 'request_timeout' })
  await other
  expect(commits).toEqual([['other']])
})

test('additions go on while changes are held, which follow in their order', async () => {
  const { queue, commits } = noting()
  const change = (name: string): Note => ({ ...note(name, name), rewrites: true })
  await queue.hold()
  const held = [queue.write(change('first change')), queue.write(change('second change'))]
  await queue.write(note('one more'))
  expect(commits).toEqual([['one more']])
  queue.release()
  await Promise.all(held)
  expect(commits).toEqual([['one more'], ['first change', 'second change']])
})

test('changes that are held take no room from what is added', async () => {
  const { queue, commits } = noting()
  await queue.hold()
  const held = Array.from({ length: 40 }, (_, n) =>
    queue.write({ ...note(`change ${n}`, `${n}`, 32), rewrites: true }),
  )
  await Promise.all(Array.from({ length: 100 }, (_, n) => queue.write(note(`more ${n}`))))
  expect(commits.map(({ length }) => length)).toEqual([100])
  queue.release()
  await Promise.all(held)
})

test('what is held when the queue is closed is refused', async () => {
  const { queue, commits } = noting()
  await queue.hold()
  const held = queue.write({ ...note('change'), rewrites: true })
  queue.close(() => new Error('closed'))
  await expect(held).rejects.toThrow('closed')
  await expect(queue.hold()).rejects.toThrow('closed')
  await queue.idle()
  expect(commits).toEqual([])
})
