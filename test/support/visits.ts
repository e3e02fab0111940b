import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { beforeAll } from 'vitest'
import { launchChromium } from './chromium.ts'
import { root } from './contract.ts'

export type Visit = { page: Page; complaints: string[]; outside: string[] }

/** Opens a browser for the tests of a file, which visits pages of the server at an address. */
export function visitor(url: string) {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
    return () => browser.close()
  })

  /** A page of a browser that has seen nothing yet; it notes what the console has, and requests to elsewhere. `path` may be an address, too. */
  return async function visit(
    path: string,
    colorScheme: 'light' | 'dark' = 'light',
    width = 1280,
  ): Promise<Visit> {
    const address = new URL(path, url)
    const viewport = { width, height: 900 }
    const context = await browser.newContext({ colorScheme, viewport })
    const page = await context.newPage()
    // Just less than a test's own time, so that what was waited for is named.
    page.setDefaultTimeout(100_000)
    const complaints: string[] = []
    const outside: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(address.origin)) {
        outside.push(request.url())
      }
    })
    await page.goto(address.href, { waitUntil: 'networkidle' })
    return { page, complaints, outside }
  }
}

const axe = await readFile(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')

/** What axe finds, of any of these impacts, once no colour changes. The page allows no script from elsewhere; it is run beside it. */
export const faultsOf = (page: Page, impacts = ['serious', 'critical']): Promise<unknown> =>
  page.evaluate(`${axe};
    const changes = document.getAnimations().filter((one) => one instanceof CSSTransition);
    Promise.allSettled(changes.map((one) => one.finished)).then(() =>
    axe.run({ resultTypes: ['violations'] })).then(({ violations }) => violations
      .filter(({ impact }) => ${JSON.stringify(impacts)}.includes(impact))
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`)

export const isWiderThanTheWindow = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
