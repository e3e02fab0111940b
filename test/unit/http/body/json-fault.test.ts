import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { faultOf } from '../../../../src/http/body/json-fault.ts'

const puts = ['', '"', '\\', 'x', ',', '1', ']', '}', '\n', '\u0001', '\\u12', '-', '.', 'e', '\\q']

test('the fault of broken JSON is where V8 finds it', () => {
  let compared = 0
  const property = fc.property(
    fc.json(),
    fc.nat(),
    fc.constantFrom(...puts, 'tru'),
    fc.nat(3),
    (json, place, put, cut) => {
      const at = place % (json.length + 1)
      const text = json.slice(0, at) + put + json.slice(at + cut)
      const message = refusalOf(text)
      if (message === undefined) return
      const fault = faultOf(text)
      const [, position] = /at position (\d+)/.exec(message) ?? []
      const [, token] = /^Unexpected token '(.)'/u.exec(message) ?? []
      if (position !== undefined) expect(fault).toBe(Number(position))
      if (token !== undefined) expect(text.slice(fault).startsWith(token)).toBe(true)
      if (message.startsWith('Unexpected end')) expect(fault).toBe(text.length)
      compared += 1
    },
  )
  fc.assert(property, { numRuns: 2_000 })
  expect(compared).toBeGreaterThan(500)
})

function refusalOf(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
