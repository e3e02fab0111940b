import { Mutex } from 'async-mutex'
import { expect, test } from 'vitest'
import { Background } from '../../src/store/background.ts'

/** One whose turn comes when it is released, and what it did. */
async function openBackground() {
  const done: string[] = []
  const turns = new Mutex()
  const release = await turns.acquire()
  const background = new Background(() => undefined)
  const run = () =>
    background.run(
      async () => void done.push('work'),
      (error) => expect.fail(String(error)),
      (go) => turns.runExclusive(go),
    )
  return { background, run, release, turns, done }
}

test('work is done when its turn comes, and no other is begun meanwhile', async () => {
  const { background, run, release, turns, done } = await openBackground()
  expect(background.isFree).toBe(true)
  run()
  expect(background.isFree).toBe(false)
  release()
  await turns.waitForUnlock()
  expect(done).toEqual(['work'])
  await background.stopWhole()
})

test('who stops does not wait for a turn, and in it nothing is done', async () => {
  const { background, run, release, turns, done } = await openBackground()
  run()
  await background.stopWhole()
  release()
  await turns.runExclusive(() => undefined)
  expect(done).toEqual([])
})
