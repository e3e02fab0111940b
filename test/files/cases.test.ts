import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readHere } from './read-here.ts'
import { type Case, cases } from './cases.ts'

/** Files as people have them: what a reader sees in them comes out. */

const folder = join(import.meta.dirname, 'cases')

test.each(cases)('$name', async ({ name, must = [], not = [], order = [] }: Case) => {
  const { text } = await readHere({ name, bytes: readFileSync(join(folder, name)) })
  for (const part of must) expect(text).toContain(part)
  for (const part of not) expect(text).not.toContain(part)
  let end = 0
  for (const part of order) {
    expect(text.slice(end)).toContain(part)
    end = text.indexOf(part, end) + part.length
  }
})
