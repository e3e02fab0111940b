import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasChromium } from '../support/chromium.ts'
import { startServer, testKey } from '../support/server.ts'
import { makeDatastore, makeLearnedAgent, upsert } from '../support/things.ts'
import { isWiderThanTheWindow, visitor } from '../support/visits.ts'

const withKey = `/playground#key=${testKey}`

/** What people met who saw the page for the first time. */
describe.runIf(hasChromium)('/playground for strangers', async () => {
  if (!hasChromium) return
  const { url, client } = await startServer()
  const visit = visitor(url)

  async function visitPart(part: string, datastore: string) {
    const { page } = await visit(withKey)
    await page.evaluate(`location.hash = 'pane=${part}&datastore=${datastore}'`)
    return page
  }

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

  test('a window that becomes narrow hides nothing', { tags: 'deep' }, async () => {
    const datastore = await makeDatastore(client, 'long')
    const text = 'Nobody has ever counted the books that stand in the cellar.\n\n'.repeat(200)
    const metadata = { 'a key of many words that somebody made': 'and a value of many words' }
    await upsert(client, datastore, { name: 'long', text, metadata })
    const page = await visitPart('search', datastore)
    await page.getByRole('searchbox', { name: 'Search' }).fill('books in the cellar')
    await page.getByLabel('Only where').selectOption({ index: 1 })
    await button(page, 'long').first().click()
    await page.locator('.source mark').first().waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    await page.evaluate('scrollTo(0, 0)')
    await nextFrame(page)
    expect(await isWiderThanTheWindow(page)).toBe(false)
  })

  async function ask(page: Page, query: string): Promise<void> {
    await page.getByLabel(/^Your (next )?question$/).fill(query)
    await page.keyboard.press('Enter')
    await page.locator('.turn[aria-busy=false]').last().getByText(query).waitFor()
  }

  test('what was said with an agent goes with it', { tags: 'deep' }, async () => {
    const { datastore } = await makeLearnedAgent(client, ['The library opens at nine.'])
    const page = await visitPart('ask', datastore)
    await page.getByText('Settings').click()
    await button(page, 'Make another agent').click()
    await expect.poll(() => page.getByLabel('Agent').locator('option').count()).toBe(2)
    await ask(page, 'When does the library open?')
    await page.locator('.source mark').waitFor()
    await page.getByText('Settings').click()
    await button(page, /^Delete this agent/).click()
    await button(page, /^Really delete this agent/).click()
    await page.getByLabel('Your question').waitFor()
    expect(await page.locator('.source').count()).toBe(0)
    await ask(page, 'When does the library open?')
    await page.locator('.source mark').waitFor()
  })

  test('an answer stays as it was when the settings change', { tags: 'deep' }, async () => {
    const { datastore } = await makeLearnedAgent(client, ['The library opens at nine.'])
    const page = await visitPart('ask', datastore)
    await page.getByText('Settings').click()
    await page.getByLabel(/^What it says when/).fill('Ask the desk.')
    await ask(page, 'Qwertzuiop xyzzy?')
    await button(page, 'Save for everybody').click()
    await page.getByText('Saved.').waitFor()
    expect(await page.locator('.declined .said').textContent()).toBe('Ask the desk.')
  })

  const nextFrame = (page: Page) =>
    page.evaluate('new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))')
})
