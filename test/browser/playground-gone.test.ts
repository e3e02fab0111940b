import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { hasChromium } from '../support/chromium.ts'
import { ask, button, playgroundOf } from '../support/playground.ts'
import { startServer } from '../support/server.ts'
import { makeDatastore, makeLearnedAgent, putDocument, upsert } from '../support/things.ts'

/** The page says what is gone or has changed since, and never that of what is there. */
describe.runIf(hasChromium)('/playground beside what is gone', async () => {
  if (!hasChromium) return
  const { url, client } = await startServer()
  const { visitPart } = playgroundOf(url)

  const deleteDatastore = (id: string) =>
    sdk.deleteDatastore({ client, path: { id }, throwOnError: true })

  test(
    'an agent of a deleted datastore is not asked unless somebody chooses it',
    { tags: 'deep' },
    async () => {
      const { agent, datastore: gone } = await makeLearnedAgent(client, ['The pool opens at six.'])
      const datastore = await makeDatastore(client, 'another')
      await upsert(client, datastore, 'The library opens at nine.')
      await deleteDatastore(gone)
      const page = await visitPart('ask', datastore)
      await button(page, 'Make an agent').waitFor()
      const choice = page.getByRole('combobox', { name: 'Agent' })
      expect(await choice.inputValue()).toBe('')
      await choice.selectOption(agent)
      await page.getByText('This agent answers from no datastore').waitFor()
      await ask(page, 'When does the library open?')
      await page.locator('.declined').getByText('It answers from no datastore').waitFor()
      await button(page, 'Let it answer from this one').click()
      await page.getByText('This agent answers from no datastore').waitFor({ state: 'detached' })
      await ask(page, 'When does the library open?')
      await page.locator('.source mark').waitFor()
      await sdk.deleteAgent({ client, path: { id: agent }, throwOnError: true })
    },
  )

  test('a datastore that is gone is what an answer says', { tags: 'deep' }, async () => {
    const { datastore } = await makeLearnedAgent(client, ['The pool opens at six.'])
    const page = await visitPart('ask', datastore)
    await page.getByLabel('Your question').waitFor()
    await deleteDatastore(datastore)
    await ask(page, 'When does the pool open?')
    await page
      .locator('.declined')
      .getByText('The datastore that it answered from is gone')
      .waitFor()
  })

  test(
    'a search result marks its own text, or says that it is gone',
    { tags: 'deep' },
    async () => {
      const datastore = await makeDatastore(client, 'replaced')
      const text = 'The doors are red. The windows are washed in May.'
      await putDocument(client, datastore, 'house.md', { text, name: 'house.md' })
      const page = await visitPart('search', datastore)
      await page.getByRole('searchbox', { name: 'Search' }).fill('windows')
      await button(page, 'house.md').waitFor()
      for (const [next, marks] of [
        [`News.\n\n${text}`, ['The windows are washed in May.']],
        ['Other words, as many as before, stand here by now.', []],
      ] as const) {
        await putDocument(client, datastore, 'house.md', { text: next, name: 'house.md' })
        await button(page, 'house.md').click()
        await page.locator('.source .block').first().getByText(next.slice(0, 5)).waitFor()
        await expect.poll(() => page.locator('.source mark').allTextContents()).toEqual(marks)
      }
      await page.getByText('The document has changed since').waitFor()
    },
  )

  test(
    'a document that is replaced where it is read shows its new text',
    { tags: 'deep' },
    async () => {
      const datastore = await makeDatastore(client, 'read')
      await putDocument(client, datastore, 'a.md', { text: 'The old text.', name: 'a.md' })
      const page = await visitPart('documents', datastore)
      await button(page, /^a\.md$/).click()
      await page.locator('.source .block').getByText('The old text.').waitFor()
      const file = { name: 'a.md', mimeType: 'text/markdown', buffer: Buffer.from('The new text.') }
      await page.getByLabel('Files', { exact: true }).setInputFiles(file)
      await page.locator('.source .block').getByText('The new text.').waitFor()
    },
  )

  test(
    'the quote of a new answer is marked in the new text of an open document',
    { tags: 'deep' },
    async () => {
      const { datastore } = await makeLearnedAgent(client, [])
      const say = (text: string) => putDocument(client, datastore, 'a.md', { text, name: 'a.md' })
      await say('The swimming pool opens at six in the morning.')
      const page = await visitPart('ask', datastore)
      await ask(page, 'When does the swimming pool open?')
      await page.locator('.source mark', { hasText: 'at six' }).waitFor()
      await say('The swimming pool opens at eight in the morning.')
      await ask(page, 'When does the swimming pool open now?')
      await page.locator('.source mark', { hasText: 'at eight' }).waitFor()
      expect(await page.getByText('The document has changed since').count()).toBe(0)
    },
  )

  test(
    "a name that turns the direction leaves the page's own words",
    { tags: 'deep' },
    async () => {
      const name = 'bill\u202efdp.exe'
      const metadata = { 'shelf\u202e': 'b', colour: 'red' }
      const { datastore } = await makeLearnedAgent(client, [
        { name, text: 'The library opens at nine.', metadata },
      ])
      const page = await visitPart('ask', datastore)
      await ask(page, 'When does the library open?')
      await page.locator('.source mark').waitFor()
      expect(await isTurned(page, '.source > p', 'colour')).toBe(false)
      expect(await isTurned(page, '.sources', 'quoted word for word')).toBe(false)
      await page.getByText('Settings').click()
      await page.getByLabel('minScore').fill('0.99')
      await ask(page, 'When does the museum of the library open?')
      expect(await isTurned(page, '.declined', 'scores')).toBe(false)
      await page.getByRole('link', { name: 'Search', exact: true }).click()
      await page.getByLabel('Only where').selectOption({ index: 2 })
      expect(await isTurned(page, '.chip', '✕')).toBe(false)
    },
  )

  /** Whether the words of the page run from right to left, or a single one stands before the rest. */
  const isTurned = async (page: Page, within: string, words: string): Promise<boolean> => {
    await page.locator(within).first().getByText(words).first().waitFor()
    return page.evaluate(`(() => {
      const box = document.querySelector(${JSON.stringify(within)})
      const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
      const leftOf = (node, at) => {
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        return range.getBoundingClientRect().left
      }
      const before = walker.nextNode()
      for (let node = before; node; node = walker.nextNode()) {
        const at = node.data.indexOf(${JSON.stringify(words)})
        if (at < 0) continue
        const last = at + ${words.length} - 1
        return last > at ? leftOf(node, last) < leftOf(node, at) : leftOf(node, at) < leftOf(before, 0)
      }
    })()`)
  }
})
