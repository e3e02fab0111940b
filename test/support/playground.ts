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

export const open = (page: Page, part: string): Promise<void> =>
  page.getByRole('link', { name: part, exact: true }).click()

export async function choose(page: Page, datastore: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Datastore' }).selectOption(datastore)
  await page.waitForURL(new RegExp(datastore))
}

/** The whole of what is marked, which may go over several fragments. */
export async function marked(page: Page): Promise<string> {
  await page.locator('.source mark').first().waitFor()
  return (await page.locator('.source mark').allTextContents()).join('')
}

/** Drops what lies on the disk, as from a file manager. */
export async function drop(page: Page, ...files: string[]): Promise<void> {
  const { x, y, width, height } = (await page.locator('.drop').boundingBox())!
  const devtools = await page.context().newCDPSession(page)
  const at = { x: x + width / 2, y: y + height / 2 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const data = { items: [], files, dragOperationsMask: 1 }
    await devtools.send('Input.dispatchDragEvent', { type, ...at, data })
  }
}
