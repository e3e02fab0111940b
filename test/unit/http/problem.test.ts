import { pino } from 'pino'
import { expect, test } from 'vitest'
import { NotFound, Overloaded } from '../../../src/errors/errors.ts'
import { EmbeddingFailed } from '../../../src/errors/provider-errors.ts'
import { toReportedError } from '../../../src/http/problem.ts'

test.each([
  ['an error of nobody', new TypeError('No such member.'), [50]],
  ['a provider that failed', new EmbeddingFailed('The embedding provider answered 500.'), [40]],
  // A flood of requests would be one of lines.
  ['a server that has no room', new Overloaded('queries', 1), []],
  ['a mistake of the caller', new NotFound('agent', 'agt_1'), []],
])('of %s an operator is told as much as it is worth', (_, thrown, levels) => {
  const told: unknown[] = []
  const log = pino({ level: 'info' }, { write: (line) => told.push(JSON.parse(line).level) })
  toReportedError(thrown, 'req_1', log)
  expect(told).toEqual(levels)
})
