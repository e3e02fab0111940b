import { mkdirSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launchChromium } from '../support/chromium.ts'
import { document, operations, root } from '../support/contract.ts'
import { checkedClient, startServer, testKey } from '../support/server.ts'
import { makeDatastore, upsert } from '../support/things.ts'

const pictures = join(root, 'test-output')
mkdirSync(pictures, { recursive: true })
/** The picture in README; `npm run picture` renews it. */
const picture = process.env.README_PICTURE ?? join(pictures, 'readme.png')

describe.runIf(hasChromium)('the pages in Chromium', async () => {
  if (!hasChromium) return
  const { url } = await startServer()
  let browser: Awaited<ReturnType<typeof launchChromium>>
  beforeAll(async () => {
    browser = await launchChromium()
    return () => browser.close()
  })

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
    // The test itself has a time; a busy machine needs most of it.
    page.setDefaultTimeout(0)
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
    if (path === '/docs') await page.locator('.opblock').first().waitFor()
    return { page, complaints, outside }
  }

  const operationFor = (operationId: string) =>
    operations.find((operation) => operation.operationId === operationId)!

  const blockOf = (page: Page, operationId: string) =>
    page.locator(`.opblock[id$="-${operationId}"]`)

  const openDialog = (page: Page) => page.getByRole('button', { name: 'Give your key' }).click()

  async function giveKey(page: Page): Promise<void> {
    await page.locator('.auth-container input').fill(testKey)
    const dialog = page.locator('.auth-btn-wrapper')
    await dialog.getByRole('button', { name: /^Apply|^Authorize/ }).click()
    await dialog.getByRole('button', { name: /Close/ }).click()
  }

  /** Presses what a person presses, types nothing, and gives the status and body of the answer. */
  async function execute(page: Page, operationId: string): Promise<[number, string]> {
    const block = blockOf(page, operationId)
    const isOpen = /is-open/.test((await block.getAttribute('class')) ?? '')
    if (!isOpen) await block.locator('.opblock-summary-control').click()
    const tryOut = block.getByRole('button', { name: 'Try it out' })
    const press = block.getByRole('button', { name: 'Execute' })
    await tryOut.or(press).first().waitFor()
    if (await tryOut.isVisible()) await tryOut.click()
    const answered = page.waitForResponse(/./)
    await press.click()
    const answer = await answered
    const shown = block.locator('.live-responses-table .response-col_status').last()
    await shown.getByText(String(answer.status())).waitFor()
    return [answer.status(), await answer.text()]
  }

  test.each([1280, 390])(
    'the first operation of /docs stands on the first screen, %i wide',
    { tags: 'deep' },
    async (width) => {
      const { page } = await visit('/docs', 'light', width)
      const box = await page.locator('.opblock').first().boundingBox()
      expect(box!.y + box!.height).toBeLessThan(900)
      await page.getByText('How it works:').click()
      await page.getByRole('heading', { name: 'Versions' }).waitFor()
    },
  )

  test(
    'a person goes from a key to an answer on /docs, as the picture of README shows',
    { tags: 'deep' },
    async () => {
      const { page, complaints, outside } = await visit('/docs', 'light', 900)
      await openDialog(page)
      await giveKey(page)
      // The key is kept over a reload.
      await page.reload({ waitUntil: 'networkidle' })
      await page.getByRole('button', { name: 'authorization button locked' }).first().waitFor()
      const statuses: Record<string, number> = {}
      const step = async (operationId: string): Promise<string> => {
        const [status, body] = await execute(page, operationId)
        statuses[operationId] = status
        if (operationId === 'queryDatastore') await photograph(blockOf(page, operationId))
        // Each open one makes every later step slower.
        await blockOf(page, operationId).locator('.opblock-summary-control').click()
        return body
      }

      await page.getByRole('link', { name: 'Make a datastore' }).click()
      await step('createDatastore')
      await page.getByRole('link', { name: 'Put documents in' }).click()
      await step('upsertDocuments')
      await page.getByRole('link', { name: 'Ask' }).click()
      expect(JSON.parse(await step('queryDatastore'))[0].datasource_name).toBe('Opening hours')
      for (const operationId of ['createAgent', 'putKnowledge']) await step(operationId)
      expect(JSON.parse(await step('queryAgent'))).toMatchObject({ answered: true })
      const others = ['updateDatasource', 'updateAgent', 'deleteAgent']
      for (const operationId of others) await step(operationId)

      // Nothing that an example filled in keeps a second upsert from being another one.
      expect((await execute(page, 'upsertDocuments'))[0]).toBe(200)
      await blockOf(page, 'upsertDocuments').locator('.opblock-summary-control').click()

      const block = blockOf(page, 'uploadFile')
      await block.locator('.opblock-summary-control').click()
      await block.getByRole('button', { name: 'Try it out' }).click()
      const buffer = Buffer.from('The library opens at nine.')
      const file = { name: 'hours.md', mimeType: 'text/markdown', buffer }
      await block.locator('input[type=file]').setInputFiles(file)
      expect(JSON.parse(await step('uploadFile')).fragmentCount).toBe(1)
      expect(statuses).toEqual({
        ...Object.fromEntries(Object.keys(statuses).map((operationId) => [operationId, 200])),
        createDatastore: 201,
        uploadFile: 201,
        createAgent: 201,
      })
      expect([complaints, outside]).toEqual([[], []])
    },
  )

  /** What the reader of the picture needs: what is asked, and what is answered. README explains the rest. */
  async function photograph(block: Locator): Promise<void> {
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
    await block.locator('textarea').evaluate((one) => (one.style.minHeight = '5em'))
    await block.screenshot({ path: picture })
    expect((await stat(picture)).size).toBeLessThan(200 * 1024)
  }

  const axe = await readFile(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')

  /** What axe finds that keeps somebody out. The page allows no script from elsewhere; it is run beside it. */
  const faultsOf = (page: Page): Promise<unknown> =>
    page.evaluate(`${axe};
      axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
        .filter(({ impact }) => ['serious', 'critical'].includes(impact))
        .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`)

  const isWiderThanTheWindow = (page: Page) =>
    page.evaluate('document.documentElement.scrollWidth > window.innerWidth')

  /** Looks at a page in light and dark, in a wide window and on a telephone, and keeps its pictures. */
  async function look({ page, complaints, outside }: Visit, name: string): Promise<void> {
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [390, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const path = join(pictures, `${name}-${colorScheme}-${width}.png`)
      await page.screenshot({ path, fullPage: name !== 'docs' })
      expect([colorScheme, width, await faultsOf(page)]).toEqual([colorScheme, width, []])
      expect(await isWiderThanTheWindow(page)).toBe(false)
    }
    expect([complaints, outside]).toEqual([[], []])
  }

  test(
    '/ can be read by everybody, at any width, and its links lead somewhere',
    { tags: 'deep' },
    async () => {
      const visited = await visit('/', 'dark')
      await look(visited, 'home')
      await visited.page.getByRole('button', { name: 'Copy' }).first().click()
      await visited.page.getByRole('button', { name: 'Copied' }).waitFor()
      const links = await visited.page
        .locator('a')
        .evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href))
      expect(links.length).toBeGreaterThan(3)
      for (const link of links) expect((await fetch(link)).status).toBe(200)
    },
  )

  test(
    '/problems can be read by everybody, at any width, and has a place for every code',
    { tags: 'deep' },
    async () => {
      const visited = await visit('/problems', 'dark')
      await look(visited, 'problems')
      for (const code of document.components.schemas.ProblemCode.enum) {
        expect(await visited.page.locator(`section#${code}`).count()).toBe(1)
      }
    },
  )

  test(
    '/document shows what an assistant cited to whoever has a key, at any width',
    { tags: 'deep' },
    async () => {
      const client = checkedClient(url, testKey)
      const id = await makeDatastore(client)
      const text = 'The library opens at nine. <b>On Sundays</b> it is closed.'
      const metadata = { source: 'shelf 12', shelves: [1, 2] }
      const [hours] = await upsert(client, id, { text, name: 'Opening hours', metadata })
      const path = `/document#${id}/${hours}`
      const give = async (page: Page, key: string) => {
        await page.getByLabel('Your key').fill(key)
        await page.getByRole('button', { name: 'Read' }).click()
      }
      const visited = await visit(path, 'dark')
      const { page } = visited
      expect(await faultsOf(page)).toEqual([])
      await give(page, testKey)
      await page.getByRole('heading', { name: 'Opening hours' }).waitFor()
      expect(await page.locator('#text').textContent()).toBe(text)
      expect(await page.locator('dl').textContent()).toContain('shelf 12')
      await look(visited, 'document')
      // The key is kept over a reload.
      await page.reload({ waitUntil: 'networkidle' })
      await page.getByText('On Sundays').waitFor()

      const { page: other } = await visit(path)
      await give(other, 'x'.repeat(40))
      await other.getByText('The key is not valid.').waitFor()
      await give(other, testKey)
      await other.getByText('On Sundays').waitFor()
      await other.goto(`${url}/document#${id}/src_unknown`)
      await other.getByText('There is no datasource src_unknown.').waitFor()
    },
  )

  test.each(['getDatasource', 'updateAgent'])(
    'a link into /docs opens %s with all of its parameters, and its errors folded',
    { tags: 'deep' },
    async (operationId) => {
      const { tags, parameters, responses } = operationFor(operationId)
      const { page, complaints } = await visit(`/docs#/${tags[0]}/${operationId}`)
      const block = blockOf(page, operationId)
      await block.locator('.responses-wrapper').waitFor()
      const names = await block
        .locator('.parameters tr')
        .evaluateAll((rows) => rows.flatMap((row) => row.getAttribute('data-param-name') ?? []))
      expect(names.toSorted()).toEqual(parameters.map(({ name }) => name).toSorted())
      const errors = Object.keys(responses).filter((status) => status >= '400')
      const folded = block.locator('button.folded')
      expect(await folded.count()).toBe(errors.length)
      await folded.first().click()
      await block.locator('tr.response[data-code="400"] pre').waitFor()
      expect(await folded.count()).toBe(errors.length - 1)
      expect(complaints).toEqual([])
    },
  )

  test(
    '/docs can be read by everybody, at any width, and shows every operation under its tag',
    { tags: 'deep' },
    async () => {
      const visited = await visit('/docs', 'dark')
      const { page } = visited
      expect(await page.locator('.opblock').count()).toBe(operations.length)
      const shown = await page
        .locator('.opblock-tag')
        .evaluateAll((tags) => tags.map((tag) => tag.getAttribute('data-tag')))
      expect(shown).toEqual(document.tags.map(({ name }: { name: string }) => name))
      await openDialog(page)
      await page.locator('.auth-container input').waitFor()
      expect(await faultsOf(page)).toEqual([])
      await giveKey(page)
      // One that shows an answer, and one that shows parameters.
      await execute(page, 'createDatastore')
      await blockOf(page, 'listDatasources').locator('.opblock-summary-control').click()
      await page.locator('.opblock.is-open .responses-wrapper').last().waitFor()
      await look(visited, 'docs')
    },
  )
})
