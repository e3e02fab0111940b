import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FairSemaphore } from '../../../src/process/fair-shares.ts'

/** Works that begin in the order of `begun`, and end when they are told to. */
function worksOn(semaphore: FairSemaphore) {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const start = (workspace: string) =>
    semaphore.run(workspace, () => {
      begun.push(workspace)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const endFirst = async () => {
    ends.shift()!()
    await setImmediate()
  }
  return { begun, start, endFirst }
}

test('one workspace never holds the last slot, and another one finds it free', async () => {
  const { begun, start } = worksOn(new FairSemaphore(3))
  for (let n = 0; n < 5; n++) void start('flood')
  await setImmediate()
  expect(begun).toEqual(['flood', 'flood'])
  void start('calm')
  await setImmediate()
  expect(begun).toEqual(['flood', 'flood', 'calm'])
})

test('workspaces that wait are served in turns, however many of one wait', async () => {
  const { begun, start, endFirst } = worksOn(new FairSemaphore(1))
  for (const workspace of ['a', 'a', 'a', 'a', 'b', 'b', 'c']) void start(workspace)
  await setImmediate()
  for (let n = 0; n < 6; n++) await endFirst()
  expect(begun).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a'])
})

test('work that fails gives its slot back', async () => {
  const semaphore = new FairSemaphore(1)
  const failing = semaphore.run('a', () => Promise.reject(new Error('No.')))
  await expect(failing).rejects.toThrow('No.')
  expect(await semaphore.run('b', async () => 'done')).toBe('done')
})
