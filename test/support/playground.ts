import type { Locator, Page } from 'playwright-core'
import { testKey } from './server.ts'
import { visitor } from './visits.ts'

/** The page's path with the tests' key. */
export const withKey = `/playground#key=${testKey}`

/** Opens a browser for the tests of a file, which visits the page of the server at an address. */
export function playgroundOf(url: string) {
  const visit = visitor(url)

  /** A part of the page, with a datastore open. */
  async function visitPart(part: string, datastore: string): Promise<Page> {
    const { page } = await visit(withKey)
    await page.evaluate(`location.hash = 'pane=${part}&datastore=${datastore}'`)
    return page
  }

  return { visit, visitPart }
}

export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name })

/** Settles when the answer is whole. */
export async function ask(page: Page, query: string): Promise<void> {
  await page.getByLabel(/^Your (next )?question$/).fill(query)
  await page.keyboard.press('Enter')
  await page.locator('.turn[aria-busy=false]').last().getByText(query).waitFor()
}
