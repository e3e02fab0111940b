import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { Fragment } from '../../generated/types.gen.ts'
import { Provider, recorded, sendJson } from '../support/provider.ts'
import { Random } from '../support/random.ts'
import { joinServer, startServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const modes = ['hybrid', 'vector', 'keyword'] as const
/** How often what was written is looked for, in all. */
const enough = 15

const { client } = await joinServer()

const update = (datastoreId: string, id: string, text: string) =>
  sdk.updateDatasource({ client, path: { datastoreId }, body: { id, text }, throwOnError: true })

const remove = (id: string, datasourceId: string) =>
  sdk.deleteDatasource({ client, path: { id, datasourceId }, throwOnError: true })

test(
  'what was acknowledged is found, and nothing of what it replaced',
  { tags: 'deep' },
  async () => {
    const id = await makeDatastore(client)
    const random = new Random(1)
    /** So long that no two share more than a piece or two. */
    const newWord = () =>
      Array.from({ length: 12 }, () => random.pick([...'abcdefghijklmnopqrstuvwxyz'])).join('')
    const textOf = (owner: string, word: string) =>
      `Whatever ${owner} wrote of ${word} stands on a page of the library.`
    let rounds = 0

    const find = async (word: string, owner: string, check: (found: Fragment[]) => void) => {
      for (const mode of modes) {
        const filters = random.chance(0.5) ? { custom_ids: [owner] } : {}
        check(await query(client, id, { query: word, mode, topK: 100, filters }))
      }
    }
    const write = async (owner: string) => {
      while (rounds < enough) {
        const [first, second] = [newWord(), newWord()]
        const document = { text: textOf(owner, first), metadata: { custom_id: owner } }
        const [own = ''] = await upsert(client, id, document)
        await find(first, owner, ([best]) => expect(best?.text).toBe(textOf(owner, first)))

        await update(id, own, textOf(owner, second))
        await find(second, owner, ([best]) => expect(best?.text).toBe(textOf(owner, second)))
        await find(first, owner, (found) => {
          for (const { text } of found) expect(text).not.toContain(first)
        })

        // Some stay, so that there is something to tell each from.
        if (random.chance(0.3)) continue
        await remove(id, own)
        await find(second, owner, (found) => {
          for (const { text, datasource_id } of found) {
            expect(text).not.toContain(second)
            expect(datasource_id).not.toBe(own)
          }
        })
        rounds++
      }
    }
    const owners = ['ann', 'bob', 'cleo', 'dan']
    const read = async (owner: string) => {
      while (rounds < enough) {
        const [mode, topK] = [random.pick(modes), 1 + random.below(100)]
        const filters = { custom_ids: [owner] }
        const found = await query(client, id, { query: 'page of the library', mode, topK, filters })
        expect(found.length).toBeLessThanOrEqual(topK)
        for (const { text } of found) expect(text).toContain(`Whatever ${owner} wrote`)
      }
    }
    await Promise.all([...owners.map(write), ...owners.slice(0, 2).map(read)])
  },
)

test('one answer has one version of a document, also where words and vectors fill it', async () => {
  const id = await makeDatastore(client)
  const parts = [0, 1, 2, 3, 4, 5]
  const markOf = (version: number, part: number) => `in edition ${version}, part ${part}`
  /** One part is of bees, in each version another; each is longer than a fragment. */
  const textOf = (version: number) =>
    parts
      .map((part) => {
        const subject = part === version % parts.length ? 'Bees make honey' : 'Foxes dig dens'
        return `${subject} ${markOf(version, part)}. `.repeat(40)
      })
      .join('\n\n')
  const ids = await upsert(client, id, textOf(0), textOf(0), textOf(0))
  const seen = new Set<string>()

  const write = async (own: string) => {
    for (let version = 1; seen.size < enough; version++) await update(id, own, textOf(version))
  }
  const read = async () => {
    while (seen.size < enough) {
      const found = await query(client, id, { query: 'honey', topK: 100 })
      const bySource = Map.groupBy(found, (fragment) => fragment.datasource_id)
      expect(bySource.size).toBe(ids.length)
      for (const [own, fragments] of bySource) {
        const text = fragments.map((fragment) => fragment.text).join()
        const [version = ''] = /(?<=edition )\d+/.exec(text) ?? []
        const marks = parts.map((part) => markOf(Number(version), part))
        expect(new Set(text.match(/in edition \d+, part \d/g))).toEqual(new Set(marks))
        seen.add(`${own} ${version}`)
      }
    }
  }
  await Promise.all([...ids.map(write), read(), read()])
  // Words find only some of it, or nothing would have to be joined.
  const byWords = await query(client, id, { query: 'honey', mode: 'keyword', topK: 100 })
  expect(byWords.length).toBeLessThan(parts.length * ids.length)
})

test(
  'what words find stays found while another document that they find is replaced',
  { tags: 'deep' },
  async () => {
    const provider = await Provider.start()
    // A text says how like it is to any question.
    const vectorOf = (text: string): number[] => {
      const cosine = Number(/(?<=like )\d+/.exec(text)?.[0] ?? 100) / 100
      return [cosine, Math.sqrt(1 - cosine ** 2), 0, 0, 0]
    }
    provider.behaviour = (call, response) =>
      sendJson(response, 200, recorded(call, call.body.input.map(vectorOf)))
    const server = await startServer({ provider: provider.settings })
    const id = await makeDatastore(server.client)
    const unlike = 'A rare xylograph, like 20.'
    const others = Array.from({ length: 150 }, (_, n) => `Elsewhere, like 50, house ${n}.`)
    const [, replaced = ''] = await upsert(
      server.client,
      id,
      unlike,
      'A xylograph, like 90.',
      ...others,
    )
    let asking = true
    const replace = async () => {
      for (let n = 0; asking; n++) {
        const body = { id: replaced, text: `A xylograph, edition ${n}, like 90.` }
        const path = { datastoreId: id }
        await sdk.updateDatasource({ client: server.client, path, body, throwOnError: true })
      }
    }
    const ask = async () => {
      for (let n = 0; n < 200; n++) {
        const found = await query(server.client, id, { query: 'rare xylograph', topK: 10 })
        expect(found.map(({ text }) => text)).toContain(unlike)
      }
      asking = false
    }
    await Promise.all([replace(), ask()])
  },
)
