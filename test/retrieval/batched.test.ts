import { expect, test } from 'vitest'
import type { QueryDatastore } from '../../generated/types.gen.ts'
import { Random, roundsFor } from '../support/random.ts'
import { startServer } from '../support/server.ts'
import { makeDatastore, query } from '../support/things.ts'
import { bestScores, faultsOf, filtersOf, matching, type Sample, textOf } from './brute-force.ts'
import { storeSamples } from './samples.ts'

/** Too few for an index, so that every search is exact. */
const documents = 600
/** So many that searches go beside one another, too. */
const { rounds, seed } = roundsFor('SEARCH', 30)
const callers = Math.min(100, rounds)

test('queries that go together are answered like each alone, and as comparing all with all says', async () => {
  const random = new Random(seed)
  const { client } = await startServer()
  const id = await makeDatastore(client)
  const samples = await storeSamples(client, id, documents, random)
  for (let done = 0; done < rounds; done += callers) {
    const questions = Array.from({ length: callers }, () => questionOf(random, samples))
    const together = await Promise.all(questions.map((question) => query(client, id, question)))
    for (const [index, question] of questions.entries()) {
      const matched = matching(samples, question)
      const faults = faultsOf(together[index]!, matched, await bestScores(matched, question))
      expect(faults, JSON.stringify(question)).toEqual([])
      expect(await query(client, id, question)).toEqual(together[index])
    }
  }
}, 600_000)

const questionOf = (random: Random, samples: Sample[]): QueryDatastore => ({
  query: textOf(random),
  topK: random.pick([1, 3, 5, 5, 5, 10, 100]),
  mode: 'vector',
  filters: filtersOf(random, samples),
})
