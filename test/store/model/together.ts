import * as fc from 'fast-check'
import { type Expected, expectAnswer } from './answer.ts'
import { conditionsOf } from './embedding.ts'
import { type Fault, withFaults } from './faults.ts'
import { perform, type Shelf, type Write } from './shelf.ts'
import { number, type Sent, sent } from './values.ts'
import { stepOf, whoever, type World } from './world.ts'
import { expectShelf, readBack, send, usable } from './writes.ts'

/** A document of this name is one that the disk refuses. */
const refused = 'refused by the disk'

const internal: Expected = { code: 'internal', detail: 'Something went wrong on our side.' }

const kinds = fc.constantFrom('upsert', 'keyed', 'update', 'delete', 'unknown', 'refused')

/**
 * Writes that have nothing to do with each other, at once, so that they share commits; one that is
 * bad, or a commit that fails, takes none of the others along.
 */
export const together = stepOf(
  'together',
  fc.record({
    asker: whoever,
    n: number,
    writes: fc.array(fc.tuple(kinds, number, sent), { minLength: 3, maxLength: 8 }),
    fault: fc.constantFrom<Fault>('none', 'before', 'after'),
  }),
  async (world, { asker, n, writes, fault }) => {
    const shelf = usable(world, asker, n)
    if (!shelf) return
    const changes = independent(world, shelf, writes)
    const answers = await withFaults(faultsOf(fault), () =>
      Promise.all(changes.map((change) => send(world.client(asker), shelf.id, change))),
    )
    changes.forEach((change, index) => {
      const answer = answers[index]!
      const isRefused = change.kind === 'upsert' && change.documents[0]?.name === refused
      const conditions = conditionsOf(world, false)
      expectAnswer(answer, isRefused ? internal : perform(shelf, change, conditions, answer))
    })
    await readBack(world, shelf)
    await expectShelf(world, shelf)
  },
)

/** Every commit with the refused document fails, and so does the first of several documents. */
function faultsOf(fault: Fault) {
  let isDue = true
  return (names: string[], ids: Set<string>): Fault => {
    if (names.includes(refused)) return 'before'
    if (!isDue || ids.size < 2) return 'none'
    isDue = false
    return fault
  }
}

function independent(world: World, shelf: Shelf, writes: [string, number, Sent][]): Write[] {
  const free = shelf.documents.map(({ id }) => id)
  return writes.map(([kind, n, document]) => {
    const [id] = free.length > 0 ? free.splice(n % free.length, 1) : []
    const key = kind === 'keyed' ? { key: world.newName() } : {}
    if (kind === 'refused') {
      return { kind: 'upsert', documents: [{ ...document, name: refused }] }
    }
    if (kind === 'unknown') return { kind: 'update', id: "no'document", document }
    if (kind === 'delete' && id) return { kind, id }
    if (kind === 'update' && id) return { kind, id, document }
    return { kind: 'upsert', documents: [document], ...key }
  })
}
