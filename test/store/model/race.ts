import * as fc from 'fast-check'
import { expect } from 'vitest'
import { type Answer, isAnswer } from './answer.ts'
import { conditionsOf } from './embedding.ts'
import { perform, type Shelf, shownWhole, type Write } from './shelf.ts'
import { number, sent } from './values.ts'
import { stepOf, whoever, type World } from './world.ts'
import { expectShelf, readBack, send, usable } from './writes.ts'

/** Writes to one document, or under one key, at once: they must have happened in some order. */
export const race = stepOf(
  'race',
  fc.record({
    asker: whoever,
    n: number,
    picked: number,
    isKeyed: fc.boolean(),
    writes: fc.array(fc.tuple(fc.boolean(), sent), { minLength: 2, maxLength: 4 }),
  }),
  async (world, { asker, n, picked, isKeyed, writes }) => {
    const shelf = usable(world, asker, n)
    const id = shelf?.documents[picked % shelf.documents.length]?.id
    if (!shelf || (!id && !isKeyed)) return
    const key = world.newName()
    const changes = writes.map(([first, document]): Write => {
      if (isKeyed) return { kind: 'upsert', key, documents: [first ? writes[0]![1] : document] }
      return first ? { kind: 'update', id: id!, document } : { kind: 'delete', id: id! }
    })
    const answers = await Promise.all(
      changes.map((change) => send(world.client(asker), shelf.id, change)),
    )
    const outcomes = orders(changes.map((_, index) => index)).flatMap(
      (order) => outcomeOf(world, shelf, changes, answers, order) ?? [],
    )
    const status = answers.map((answer) => answer.status)
    expect(outcomes, `an order in which these are right: ${status}`).not.toEqual([])
    await adopt(world, shelf, outcomes)
  },
)

/** The datastore after the writes in that order, where they would have been answered as they were. */
function outcomeOf(
  world: World,
  shelf: Shelf,
  changes: Write[],
  answers: Answer[],
  order: number[],
): Shelf | undefined {
  const after = structuredClone(shelf)
  const isRight = order.every((index) => {
    const answer = answers[index]!
    const expected = perform(after, changes[index]!, conditionsOf(world, false), answer)
    return isAnswer(timeless(answer), timeless(expected))
  })
  return isRight ? after : undefined
}

/** When one was changed that was deleted right after, nobody knows. */
function timeless<T extends object>(said: T): T {
  if (!('body' in said) || typeof said.body !== 'object' || said.body === null) return said
  return 'updatedAt' in said.body ? { ...said, body: { ...said.body, updatedAt: '' } } : said
}

/** Takes the first of the outcomes that the service agrees with. */
async function adopt(world: World, shelf: Shelf, outcomes: Shelf[]): Promise<void> {
  const different = new Map(
    outcomes.map((outcome) => [JSON.stringify(outcome.documents.map(shownWhole)), outcome]),
  )
  for (const [index, { documents }] of [...different.values()].entries()) {
    shelf.documents = documents
    try {
      await readBack(world, shelf)
      await expectShelf(world, shelf)
      return
    } catch (error) {
      if (index === different.size - 1) throw error
    }
  }
}

const orders = (items: number[]): number[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item) =>
        orders(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      )
