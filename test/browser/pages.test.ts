import { existsSync, mkdirSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { document, operations, root } from '../support/contract.ts'
import { startServer, testKey } from '../support/server.ts'
import { makeAgent, makeDatastore, upsert } from '../support/things.ts'

const executablePath = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path))
if (!executablePath && process.env.CI) throw new Error('CI needs Chromium; .ci/run installs it.')
if (!executablePath) console.warn('No Chromium is installed: the pages are not tested here.')

const pictures = join(root, 'test-output')
mkdirSync(pictures, { recursive: true })
/** The picture in README; `npm run picture` renews it. */
const picture = process.env.README_PICTURE ?? join(pictures, 'readme.png')

describe.runIf(executablePath)('the pages in Chromium', async () => {
  if (!executablePath) return
  const { client, url } = await startServer()
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  afterAll(() => browser.close())

  type Visit = { page: Page; complaints: string[]; outside: string[] }

  /** A page of a browser that has seen nothing yet; it notes errors and requests to elsewhere. */
  async function visit(
    path: string,
    colorScheme: 'light' | 'dark' = 'light',
    width = 1280,
  ): Promise<Visit> {
    const viewport = { width, height: 900 }
    const context = await browser.newContext({ colorScheme, viewport })
    const page = await context.newPage()
    const complaints: string[] = []
    const outside: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url)) {
        outside.push(request.url())
      }
    })
    await page.goto(url + path, { waitUntil: 'networkidle' })
    return { page, complaints, outside }
  }

  async function authorize(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    await page.getByLabel('Value:').or(page.locator('.auth-container input')).first().fill(testKey)
    await page
      .locator('.auth-btn-wrapper')
      .getByRole('button', { name: /^Apply|^Authorize/ })
      .click()
    await page.locator('.auth-btn-wrapper').getByRole('button', { name: /Close/ }).click()
  }

  test('/docs shows every operation under its tag, in light and dark, without a complaint', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page, complaints, outside } = await visit('/docs', scheme)
      await page.locator('.opblock').first().waitFor()
      expect(await page.locator('.opblock').count()).toBe(operations.length)
      const shown = await page
        .locator('.opblock-tag')
        .evaluateAll((tags) => tags.map((tag) => tag.getAttribute('data-tag')))
      expect(shown).toEqual(document.tags.map(({ name }: { name: string }) => name))
      await page.screenshot({ path: join(pictures, `docs-${scheme}.png`), fullPage: true })
      expect([complaints, outside]).toEqual([[], []])
    }
  })

  test('Authorize is kept over a reload', async () => {
    const { page } = await visit('/docs')
    await authorize(page)
    await page.reload({ waitUntil: 'networkidle' })
    await page.getByRole('button', { name: 'authorization button locked' }).first().waitFor()
    await tryOut(page, 'listAgents', {})
  })

  /** Opens an operation, fills in what is given, executes it and returns the status shown. */
  async function tryOut(
    page: Page,
    operationId: string,
    { parameters = {}, body }: { parameters?: Record<string, string>; body?: object },
  ): Promise<string> {
    const block = page.locator(`.opblock[id$="-${operationId}"]`)
    await block.locator('.opblock-summary-control').click()
    await block.getByRole('button', { name: 'Try it out' }).click()
    for (const [name, value] of Object.entries(parameters)) {
      await block.locator(`tr[data-param-name="${name}"] input`).fill(value)
    }
    if (body) await block.locator('textarea.body-param__text').fill(JSON.stringify(body))
    await block.getByRole('button', { name: 'Execute' }).click()
    const status = block.locator('.live-responses-table .response-col_status').last()
    await status.waitFor()
    return (await status.innerText()).trim()
  }

  test('Try it out succeeds on each of the five operations', async () => {
    const agent = await makeAgent(client)
    const datastore = await makeDatastore(client)
    const [datasource = ''] = await upsert(client, datastore, 'An example.')
    const { page, complaints, outside } = await visit('/docs')
    await authorize(page)
    const statuses = [
      await tryOut(page, 'updateAgent', {
        parameters: { id: agent.id },
        body: { description: 'Tried out.' },
      }),
      await tryOut(page, 'deleteAgent', { parameters: { id: agent.id } }),
      // Its example body goes as it is.
      await tryOut(page, 'upsertDocuments', { parameters: { datastoreId: datastore } }),
      await tryOut(page, 'updateDatasource', {
        parameters: { datastoreId: datastore },
        body: { id: datasource, text: 'Tried out.' },
      }),
      await tryOut(page, 'queryDatastore', { parameters: { id: datastore } }),
    ]
    expect(statuses).toEqual(Array(5).fill('200'))
    await page.screenshot({ path: join(pictures, 'docs-tried-out.png'), fullPage: true })
    expect([complaints, outside]).toEqual([[], []])
  })

  test('a query and its answer fit into the picture of README', async () => {
    const datastore = await makeDatastore(client)
    await upsert(
      client,
      datastore,
      {
        text: 'The library opens at nine in the morning, Monday to Saturday.',
        name: 'Opening hours',
        metadata: { source_url: 'https://library.example/hours' },
      },
      'Books may be kept for four weeks and renewed twice.',
    )
    const { page } = await visit('/docs', 'light', 900)
    await authorize(page)
    const parameters = { id: datastore }
    const body = { query: 'When does the library open?' }
    expect(await tryOut(page, 'queryDatastore', { parameters, body })).toBe('200')
    const block = page.locator('.opblock[id$="-queryDatastore"]')
    // What the reader of a picture needs: what is asked, and what is answered.
    // README explains the operation itself.
    const rest = [
      '.opblock-body .renderedMarkdown',
      '.parameters-container',
      '.examples-select',
      '.model-example > .tab',
      '.curl-command',
      '.responses-inner .responses-table:not(.live-responses-table)',
      '.responses-inner > div > h4',
      '.live-responses-table div:has(> pre > .headerline)',
    ]
    await block
      .locator(rest.join(', '))
      .evaluateAll((all) => all.forEach((one) => (one.style.display = 'none')))
    await block.locator('textarea').evaluate((one) => (one.style.minHeight = '3em'))
    await block.screenshot({ path: picture })
    expect((await stat(picture)).size).toBeLessThan(200 * 1024)
  })

  test('Try it out fills in only what is true of every service', async () => {
    const { page } = await visit('/docs')
    const filled: string[] = []
    for (const { operationId, parameters } of operations) {
      if (parameters.length === 0) continue
      const block = page.locator(`.opblock[id$="-${operationId}"]`)
      await block.locator('.opblock-summary-control').click()
      await block.getByRole('button', { name: 'Try it out' }).click()
      const inputs = await block
        .locator('tr[data-param-name] input')
        .evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value))
      filled.push(...inputs.filter((value) => value !== ''))
      await block.locator('.opblock-summary-control').click()
    }
    expect([...new Set(filled)]).toEqual(['20'])
  })

  test('Try it out creates as it is, and an upsert succeeds again', async () => {
    const parameters = { datastoreId: await makeDatastore(client) }
    const { page } = await visit('/docs')
    await authorize(page)
    expect(await tryOut(page, 'createAgent', {})).toBe('201')
    expect(await tryOut(page, 'createKey', {})).toBe('201')
    expect(await tryOut(page, 'upsertDocuments', { parameters })).toBe('200')
    const again = page.waitForResponse(/upsert/)
    const block = page.locator('.opblock[id$="-upsertDocuments"]')
    await block.getByRole('button', { name: 'Execute' }).click()
    expect((await again).status()).toBe(200)
  })

  const looks = [
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const

  /** What axe finds that keeps somebody out. The page allows no script from elsewhere; it is run beside it. */
  async function faultsOf(page: Page): Promise<unknown> {
    const axe = await readFile(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')
    return page.evaluate(`${axe};
      axe.run().then(({ violations }) => violations
        .filter(({ impact }) => ['serious', 'critical'].includes(impact))
        .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`)
  }

  const isWiderThanTheWindow = (page: Page) =>
    page.evaluate('document.documentElement.scrollWidth > window.innerWidth')

  test.each(
    ['/', '/problems', '/docs'].flatMap((path) => looks.map((look) => [path, ...look] as const)),
  )('%s has no serious fault of access, %s, %d pixels wide', async (path, scheme, width) => {
    const { page, complaints, outside } = await visit(path, scheme, width)
    const name = path === '/' ? 'home' : path.slice(1)
    if (path === '/docs') {
      for (const id of ['queryDatastore', 'createAgent']) {
        await page.locator(`.opblock[id$="-${id}"] .opblock-summary-control`).click()
      }
      await page.locator('.opblock.is-open .responses-wrapper').last().waitFor()
      const first = page.locator('.opblock.is-open').first()
      await first.getByRole('button', { name: 'Try it out' }).click()
      await first.locator('textarea').waitFor()
    }
    await page.screenshot({
      path: join(pictures, `${name}-${scheme}-${width}.png`),
      fullPage: path !== '/docs',
    })
    expect([complaints, outside]).toEqual([[], []])
    expect(await faultsOf(page)).toEqual([])
    expect(await isWiderThanTheWindow(page)).toBe(false)
    if (path !== '/docs') return
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    await page.locator('.auth-container input').waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  test('every link on / leads somewhere, and /problems has a place for every code', async () => {
    const { page } = await visit('/')
    const links = await page
      .locator('a')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href')))
    expect(links.length).toBeGreaterThan(3)
    for (const link of links) {
      expect((await fetch(new URL(link ?? '', `${url}/`))).status).toBe(200)
    }
    const problems = await visit('/problems')
    for (const code of document.components.schemas.ProblemCode.enum) {
      expect(await problems.page.locator(`section#${code}`).count()).toBe(1)
    }
  })
})
