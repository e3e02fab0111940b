import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/contract.ts'

const text = readFileSync(join(root, 'SECURITY.md'), 'utf8')

/** The rows of a section's table, without its head. */
function rowsOf(heading: string): string[] {
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  const rows = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'))
  return rows.slice(2)
}

const promises = rowsOf('What is promised')
const risks = rowsOf('OWASP API Security Top 10, 2023')

test.each([...promises, ...risks])('a file with tests guards %.60s', (row) => {
  const guards = row.split('|').at(-2)!
  const files = Array.from(guards.matchAll(/`([^`]+)`/g), ([, file = '']) => file)
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) {
    expect(file).toMatch(/^test\/.*\.test\.ts$/)
    expect(existsSync(join(root, file)), file).toBe(true)
  }
})

test('SECURITY.md answers each of the ten risks of OWASP', () => {
  const numbers = risks.map((row) => /^\| (API\d+) /.exec(row)?.[1])
  expect(numbers).toEqual(Array.from({ length: 10 }, (_, index) => `API${index + 1}`))
})
