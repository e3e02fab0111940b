import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasChromium } from '../support/chromium.ts'
import { document, operations, root } from '../support/contract.ts'
import { checkedClient, startServer, testKey } from '../support/server.ts'
import { makeDatastore, upsert } from '../support/things.ts'
import { faultsOf, isWiderThanTheWindow, type Visit, visitor } from '../support/visits.ts'

const pictures = join(root, 'test-output')
mkdirSync(pictures, { recursive: true })
describe.runIf(hasChromium)('the pages in Chromium', async () => {
  if (!hasChromium) return
  const { url } = await startServer()
  const visitPage = visitor(url)

  async function visit(...where: Parameters<typeof visitPage>): Promise<Visit> {
    const visited = await visitPage(...where)
    if (where[0] === '/docs') await visited.page.locator('.opblock').first().waitFor()
    return visited
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
    'a person goes from a key to an answer on /docs',
    { timeout: 300_000, tags: 'deep' },
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
      const stored = { fragmentCount: 1, key: null, name: 'hours.md' }
      expect(JSON.parse(await step('uploadFile'))).toMatchObject(stored)
      expect(statuses).toEqual({
        ...Object.fromEntries(Object.keys(statuses).map((operationId) => [operationId, 200])),
        createDatastore: 201,
        uploadFile: 201,
        createAgent: 201,
      })
      expect([complaints, outside]).toEqual([[], []])
    },
  )

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
      await other.getByText('The key is not valid').waitFor()
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
