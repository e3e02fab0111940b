import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { hasChromium } from '../support/chromium.ts'
import { ask, button, playgroundOf, withKey } from '../support/playground.ts'
import { startServer } from '../support/server.ts'
import { makeDatastore, makeLearnedAgent, putDocument } from '../support/things.ts'

/** What the page shows stays true, and in sight, whatever else happens to it. */
describe.runIf(hasChromium)('/playground beside changes', async () => {
  if (!hasChromium) return
  const { url, client } = await startServer()
  const { visit, visitPart } = playgroundOf(url)

  const isMarkInSight = (page: Page): Promise<boolean> =>
    page.evaluate(`(() => {
      const [mark, box] = ['.source mark', '.source .text'].map((one) => document.querySelector(one)?.getBoundingClientRect())
      return mark !== undefined && mark.top >= box.top && mark.top < box.bottom
    })()`)

  test(
    'the quote of a long document is in sight, also when it is opened again',
    { tags: 'deep' },
    async () => {
      const lines = Array.from(
        { length: 12_000 },
        (_, n) => `# Topic ${n}\n\nThe code of topic ${n} is K${n * 7}.`,
      )
      const { datastore } = await makeLearnedAgent(client, [
        { name: 'topics.md', text: lines.join('\n\n') },
      ])
      const page = await visitPart('ask', datastore)
      await ask(page, 'What is the code of topic 9321?')
      const cite = page.locator('.turn .cite').first()
      await cite.click()
      await expect.poll(() => isMarkInSight(page)).toBe(true)
      // The page itself scrolls until the mark rests.
      const scrollAway = async () => {
        await page.locator('.source .text').evaluate((box) => box.scrollTo(0, 0))
        return isMarkInSight(page)
      }
      await expect.poll(scrollAway).toBe(false)
      await cite.click()
      await expect.poll(() => isMarkInSight(page)).toBe(true)
    },
  )

  test(
    'a quote is marked where it stands by now, or is said to be gone',
    { tags: 'deep' },
    async () => {
      const { datastore } = await makeLearnedAgent(client, [])
      const text = 'The swimming pool opens at six in the morning.'
      await putDocument(client, datastore, 'n.md', { text, name: 'n.md' })
      const page = await visitPart('ask', datastore)
      await ask(page, 'When does the swimming pool open?')
      const marked = page.locator('.source mark')
      await marked.waitFor()
      for (const [next, count] of [
        [`News: a line is new.\n\n${text}`, 1],
        ['The pool is closed.', 0],
      ] as const) {
        await button(page, 'Close').click()
        await putDocument(client, datastore, 'n.md', { text: next, name: 'n.md' })
        await page.locator('.turn .cite').first().click()
        await page.locator('.source .block').first().getByText(next.slice(0, 8)).waitFor()
        await expect.poll(() => marked.count()).toBe(count)
        if (count > 0) expect(await marked.textContent()).toBe(text)
        else await page.getByText('does not hold this passage any more').waitFor()
      }
    },
  )

  test('a double click deletes nothing', { tags: 'deep' }, async () => {
    const id = await makeDatastore(client, 'twice')
    const page = await visitPart('documents', id)
    await button(page, /^Delete this datastore/).dblclick()
    await button(page, /^Really delete this datastore/).waitFor()
    expect((await sdk.getDatastore({ client, path: { id } })).response?.status).toBe(200)
    await button(page, /^Really delete this datastore/).click()
    await expect
      .poll(async () => (await sdk.getDatastore({ client, path: { id } })).response?.status)
      .toBe(404)
  })

  test('what one tab saves of an agent, another one leaves', { tags: 'deep' }, async () => {
    const { agent, datastore } = await makeLearnedAgent(client, ['The pool opens at six.'])
    const [one, other] = [await visitPart('ask', datastore), await visitPart('ask', datastore)]
    for (const page of [one, other]) await page.getByText('Settings').click()
    await one.getByLabel('topK').fill('7')
    await button(one, 'Save for everybody').click()
    await one.getByText('Saved.', { exact: true }).waitFor()
    await other.getByLabel('What it says when it does not know').fill('Ask the desk.')
    await button(other, 'Save for everybody').click()
    await other.getByText('Saved.', { exact: true }).waitFor()
    const { data } = await sdk.getKnowledge({ client, path: { id: agent }, throwOnError: true })
    expect(data).toMatchObject({ topK: 7, noAnswer: 'Ask the desk.' })

    // Without a datastore it is there still, to be given one or deleted.
    await other.getByRole('checkbox').first().waitFor()
    for (const box of await other.getByRole('checkbox', { checked: true }).all())
      await box.uncheck()
    await button(other, 'Save for everybody').click()
    await other.getByText('Saved.', { exact: true }).waitFor()
    expect(await other.locator('main .choice select').first().inputValue()).toBe(agent)
  })

  test('what is changed while settings are saved is still tried', { tags: 'deep' }, async () => {
    const { datastore } = await makeLearnedAgent(client, ['The pool opens at six.'])
    const page = await visitPart('ask', datastore)
    await page.getByText('Settings').click()
    await page.getByLabel('topK').fill('7')
    const held = Promise.withResolvers<Route>()
    await page.route('**/knowledge', held.resolve, { times: 1 })
    await button(page, 'Save for everybody').click()
    const route = await held.promise
    const words = page.getByLabel('What it says when it does not know')
    await words.fill('Ask the desk.')
    await route.continue()
    const save = button(page, 'Save for everybody')
    await expect.poll(() => save.getAttribute('aria-disabled')).toBe('false')
    await page.getByText('Settings (tried, not saved)').waitFor()
    await save.click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    expect(await words.inputValue()).toBe('Ask the desk.')
    expect(await page.getByLabel('topK').inputValue()).toBe('7')
  })

  test(
    'a server that is gone for a moment leaves the page as it is',
    { tags: 'deep' },
    async () => {
      const { datastore } = await makeLearnedAgent(client, ['The pool opens at six.'])
      const page = await visitPart('search', datastore)
      await page.getByRole('searchbox', { name: 'Search' }).waitFor()
      await page.route('**/datastores?**', (route) => route.abort())
      await page.evaluate(`location.hash = 'pane=documents&datastore=${datastore}'`)
      await page.evaluate(`location.hash = 'pane=search&datastore=other'`)
      await page.getByText('The server does not answer').waitFor()
      await page.unroute('**/datastores?**')
      await page.evaluate(`location.hash = 'pane=search&datastore=${datastore}'`)
      await page.getByRole('searchbox', { name: 'Search' }).waitFor()
    },
  )

  test(
    'with many datastores, each can be reached, and Back leaves the page',
    { tags: 'deep', timeout: 300_000 },
    async () => {
      const names = Array.from({ length: 101 }, (_, n) => `Store ${n}`)
      await Promise.all(names.map((name) => makeDatastore(client, name)))
      const id = await makeDatastore(client, 'The newest')
      const page = await visitPart('documents', id)
      const choice = page.locator('.choices select')
      await expect.poll(() => choice.inputValue()).toBe(id)
      expect(await page.getByText('is gone').count()).toBe(0)

      const { page: fresh } = await visit('/docs')
      await fresh.goto(new URL(withKey, url).href)
      await expect.poll(() => fresh.url()).toContain('datastore=')
      await fresh.goBack()
      await expect.poll(() => fresh.url()).toContain('/docs')
    },
  )
})
