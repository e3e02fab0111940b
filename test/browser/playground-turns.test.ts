import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { hasChromium } from '../support/chromium.ts'
import { button, playgroundOf } from '../support/playground.ts'
import { startServer, testKey } from '../support/server.ts'
import { makeAgent, makeDatastore, makeLearnedAgent, upsert } from '../support/things.ts'

/** What a person does on the page goes before what it does of itself. */
describe.runIf(hasChromium)("/playground in a person's hands", async () => {
  if (!hasChromium) return
  const { url, client } = await startServer()
  const { visit, visitPart } = playgroundOf(url)

  const begin = async (page: Page, query: string): Promise<void> => {
    await page.getByLabel(/^Your (next )?question$/).fill(query)
    await page.keyboard.press('Enter')
  }

  /** Goes on from a page without a key. */
  const giveKey = async (page: Page, datastore: string): Promise<void> => {
    await page.evaluate(`location.hash = 'key=${testKey}'`)
    // The page chooses a datastore by itself first.
    await page.waitForURL(/datastore=/)
    await page.evaluate(`location.hash = 'pane=ask&datastore=${datastore}'`)
  }

  const answered = (page: Page, query: string) =>
    page.locator('.turn[aria-busy=false]').last().getByText(query).waitFor()

  const pool = { name: 'pool', text: 'The swimming pool opens at six.' }
  const library = { name: 'library', text: 'Books are lent by the library.' }

  test('what was opened while an answer came stays open', { tags: 'deep' }, async () => {
    const { datastore } = await makeLearnedAgent(client, [pool, library])
    const page = await visitPart('ask', datastore)
    await begin(page, 'When does the swimming pool open?')
    await answered(page, 'When does the swimming pool open?')
    const held = Promise.withResolvers<Route>()
    await page.route('**/agents/*/query', held.resolve, { times: 1 })
    await begin(page, 'What does the library lend?')
    const asked = await held.promise
    await page.locator('.turn .cite').first().click()
    await asked.continue()
    await answered(page, 'What does the library lend?')
    await page.locator('.sources').nth(1).waitFor()
    expect(await page.locator('.source h2').textContent()).toBe('pool')
    await begin(page, 'What is lent by the library?')
    await page.locator('.source h2').getByText('library').waitFor()
  })

  test('Enter saves no settings, and what was tried is discarded', { tags: 'deep' }, async () => {
    const { agent, datastore } = await makeLearnedAgent(client, [pool])
    const page = await visitPart('ask', datastore)
    await page.getByText('Settings').click()
    await page.getByLabel('topK').fill('7')
    await page.getByLabel('topK').press('Enter')
    await page.getByText('Settings (tried, not saved)').waitFor()
    await button(page, 'Discard what was tried').click()
    await page.getByText('Settings', { exact: true }).waitFor()
    const { data } = await sdk.getKnowledge({ client, path: { id: agent }, throwOnError: true })
    expect(data.topK).not.toBe(7)
    expect(await page.getByLabel('topK').inputValue()).toBe(String(data.topK))
  })

  test('where an agent is gone, another one is chosen', { tags: 'deep' }, async () => {
    const { agent, datastore } = await makeLearnedAgent(client, [pool])
    const { id: other } = await makeAgent(client, { name: 'Remaining' })
    const body = { datastoreIds: [datastore] }
    await sdk.putKnowledge({ client, path: { id: other }, body, throwOnError: true })
    const page = await visitPart('ask', datastore)
    const choice = page.getByRole('combobox', { name: 'Agent' })
    await expect.poll(() => choice.inputValue()).toBe(agent)
    await sdk.deleteAgent({ client, path: { id: agent }, throwOnError: true })
    await begin(page, 'When does the swimming pool open?')
    await page.getByText('There is no agent').waitFor()
    await expect.poll(() => choice.inputValue()).toBe(other)
    await page.getByLabel('Your next question').press('Enter')
    await page.locator('.source mark').waitFor()
  })

  test('agents that could not be listed are listed again', { tags: 'deep' }, async () => {
    const { datastore } = await makeLearnedAgent(client, [pool])
    const { page } = await visit('/playground')
    await page.route(/\/agents\?limit/, (route) => route.abort())
    await giveKey(page, datastore)
    await page.getByText('The server does not answer').waitFor()
    await page.unroute(/\/agents\?limit/)
    await button(page, 'Try again').click()
    await page.getByLabel('Your question').waitFor()
  })

  test('an agent that goes while agents are listed is left out', { tags: 'deep' }, async () => {
    const { agent, datastore } = await makeLearnedAgent(client, [pool])
    const { id: other } = await makeAgent(client, { name: 'Gone' })
    const { page } = await visit('/playground')
    await page.route(/\/agents\?limit/, async (route) => {
      const listed = await route.fetch()
      await sdk.deleteAgent({ client, path: { id: other } })
      await route.fulfill({ response: listed })
    })
    await giveKey(page, datastore)
    await expect.poll(() => page.getByRole('combobox', { name: 'Agent' }).inputValue()).toBe(agent)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('a screen reader is told an answer without signs, and once', { tags: 'deep' }, async () => {
    const text = '## Pool\n\n# Hours\n\nThe swimming pool opens at six.\n\n```sh\nopen pool\n```\n'
    const { datastore } = await makeLearnedAgent(client, [text])
    const page = await visitPart('ask', datastore)
    await begin(page, 'When does the swimming pool open?')
    const log = page.getByRole('log')
    await log.getByText('The swimming pool opens at six.').waitFor({ state: 'attached' })
    expect(await log.textContent()).not.toMatch(/[#`]/)
    await expect.poll(() => log.textContent()).toBe('')
    expect(await page.locator('.said').textContent()).toMatch(/^[^#`]*opens at six[^#`]*$/)
  })

  test('a document of too many fragments to rule off says so', { tags: 'deep' }, async () => {
    const datastore = await makeDatastore(client, 'long')
    const lines = Array.from(
      { length: 9000 },
      (_, n) => `The book of shelf ${n} is number ${n * 7}.`,
    )
    await upsert(client, datastore, { name: 'long', text: lines.join('\n') }, pool)
    const page = await visitPart('documents', datastore)
    const rules = () =>
      page
        .locator('.source .block')
        .nth(1)
        .evaluate((block) => getComputedStyle(block).borderTopStyle)
    await button(page, /^long$/).click()
    await page.getByText(/^Its \d+ fragments are too many to rule off\.$/).waitFor()
    expect(await rules()).toBe('none')
  })

  test('each quote of an answer has one line, told from others', { tags: 'deep' }, async () => {
    const text = 'The pool opens at six.\n\nThe pool of the hotel opens at ten in the morning.'
    const { datastore } = await makeLearnedAgent(client, [{ name: 'pools', text }])
    const quote = (start: number, end: number) => ({ text: text.slice(start, end), start, end })
    const page = await visitPart('ask', datastore)
    await page.route('**/agents/*/query', async (route) => {
      const answer = await route.fetch()
      const [one, other] = [quote(0, 22), quote(24, 75)]
      const citations = [one, other, one].map((each) => ({
        start: 0,
        end: 22,
        source: 0,
        support: 1,
        quote: each,
      }))
      const body = (await answer.text()).replace(/^data: (.*"type":"done".*)$/m, (_, data) => {
        const done = JSON.parse(data) as { answer: object }
        return `data: ${JSON.stringify({ ...done, answer: { ...done.answer, citations } })}`
      })
      await route.fulfill({ response: answer, body })
    })
    await begin(page, 'When does the pool open?')
    await answered(page, 'When does the pool open?')
    const texts = await page.locator('.sources li').allTextContents()
    expect(texts).toHaveLength(2)
    expect(new Set(texts).size).toBe(2)
  })
})
