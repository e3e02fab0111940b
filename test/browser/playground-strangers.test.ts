import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasChromium } from '../support/chromium.ts'
import { startServer, testKey } from '../support/server.ts'
import { makeDatastore, upsert } from '../support/things.ts'
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

  const nextFrame = (page: Page) =>
    page.evaluate('new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))')
})
