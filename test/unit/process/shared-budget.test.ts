import { expect, test } from 'vitest'
import { SharedBudget } from '../../../src/process/fair-shares.ts'

/** Takes as much as there is for each in turns, until none finds any. */
function fill(room: SharedBudget, workspaces: string[]): number[] {
  for (let isTaken = true; isTaken;) {
    const some = workspaces.filter((one) => room.leftFor(one) >= 1)
    for (const one of some) if (room.leftFor(one) >= 1) room.take(one, 1)
    isTaken = some.length > 0
  }
  return workspaces.map((one) => room.heldBy(one))
}

test.each([
  [['a'], [60]],
  [
    ['a', 'b'],
    [40, 40],
  ],
  [
    ['a', 'b', 'c'],
    [30, 30, 30],
  ],
])('%j may hold %j of 120, and there is room for another', (workspaces, held) => {
  const room = new SharedBudget(120)
  expect(fill(room, workspaces)).toEqual(held)
  expect(room.leftFor('another')).toBeGreaterThanOrEqual(1)
  expect(room.isFull(1)).toBe(false)
})

test('what is released is there for others', () => {
  const room = new SharedBudget(100)
  room.take('a', 50)
  expect(room.leftFor('b')).toBe(25)
  room.release('a', 50)
  expect([room.leftFor('b'), room.held]).toEqual([50, 0])
})
