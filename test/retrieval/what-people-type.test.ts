import { expect, test } from 'vitest'
import { QueryMode } from '../../generated/types.gen.ts'
import { Random } from '../support/random.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'
import { texts as collection } from './collection.ts'
import { typedGroups } from './typed.ts'

const { client } = await joinServer()

/** Texts of many languages' words in no order. */
function hay(random: Random): string[] {
  const words = Object.values(collection).flatMap((text) => text.split(/\s+/))
  return Array.from({ length: 120 }, () =>
    Array.from({ length: 40 }, () => random.pick(words)).join(' '),
  )
}

test.each(Object.entries(typedGroups))('%s: what is meant comes first', async (_name, group) => {
  const id = await makeDatastore(client)
  await upsert(client, id, ...group.texts, ...hay(new Random(1)))
  const misses: string[] = []
  for (const mode of [QueryMode.KEYWORD, QueryMode.HYBRID]) {
    for (const [asked, meant] of group.queries) {
      const [first] = await query(client, id, { query: asked, mode, topK: 1 })
      if (first?.text !== meant)
        misses.push(`${mode}: "${asked}" finds "${first?.text.slice(0, 60)}"`)
    }
  }
  expect(misses).toEqual([])
})
