import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { hasChromium } from '../support/chromium.ts'
import { root } from '../support/contract.ts'
import { pdfOf } from '../support/documents/pdf.ts'
import { ask, button, marked, open, playgroundOf } from '../support/playground.ts'
import { startServer, testKey } from '../support/server.ts'
import { makeDatastore, makeKey, makeLearnedAgent } from '../support/things.ts'
import { faultsOf, isWiderThanTheWindow } from '../support/visits.ts'

const pictures = join(root, 'test-output')
mkdirSync(pictures, { recursive: true })

describe.runIf(hasChromium)('how /playground looks', async () => {
  if (!hasChromium) return
  const { url, client } = await startServer()
  const { visit, visitPart } = playgroundOf(url)
  const impacts = ['minor', 'moderate', 'serious', 'critical']

  /** Looks at a state in both schemes, on a telephone, at 200 %, on a desk and on a wall. */
  async function look(page: Page, name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [360, 640, 1280, 1920]) {
        await page.setViewportSize({ width, height: 900 })
        // What is out of sight is not laid out, and would be missing in the picture.
        const height = await page.evaluate<number>('document.documentElement.scrollHeight')
        await page.setViewportSize({ width, height })
        await page.evaluate('new Promise(requestAnimationFrame)')
        const path = join(pictures, `playground-${name}-${colorScheme}-${width}.png`)
        await page.screenshot({ path, fullPage: true })
        const where = [name, colorScheme, width]
        expect([...where, await faultsOf(page, impacts)]).toEqual([...where, []])
        expect([...where, await isWiderThanTheWindow(page)]).toEqual([...where, false])
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  test(
    'everybody can read every state, at any width',
    { tags: 'deep', timeout: 600_000 },
    async () => {
      const { page, complaints } = await visit('/playground')
      await look(page, 'key')
      await page.getByLabel('Key').fill(testKey)
      await page.keyboard.press('Enter')
      const sample = page.getByRole('button', { name: 'Try it with a sample' })
      await sample.waitFor()
      await look(page, 'start')
      await sample.click()
      await page.locator('mark').waitFor()
      await look(page, 'answer')
      await page.getByText('Settings').click()
      await page.getByText('The same from a program').click()
      await page.locator('.copied').waitFor()
      await look(page, 'settings')
      await page.getByLabel('Your next question').fill('Who won the football world cup?')
      await page.keyboard.press('Enter')
      await page.getByText('Not known').waitFor()
      await page.locator('.turn[aria-busy=false]').nth(1).waitFor()
      await look(page, 'declined')
      await open(page, 'Search')
      await page.getByRole('searchbox', { name: 'Search' }).fill('how long may books be kept')
      await page.getByLabel('Mode').selectOption('all')
      await page.getByLabel(/^minScore/).fill('0.2')
      await page.getByLabel('Only where').selectOption('lang = en')
      await page
        .getByRole('region', { name: 'Found by keyword' })
        .getByRole('listitem')
        .first()
        .waitFor()
      await look(page, 'search')
      await page.locator('.results button.cite').first().click()
      await page.locator('.source mark').first().waitFor()
      await look(page, 'sentence')
      await open(page, 'Documents')
      await page.getByText('Paste a text').click()
      await page.getByRole('button', { name: 'lending.pdf', exact: true }).click()
      await page.getByText('Page 2', { exact: true }).waitFor()
      await look(page, 'documents')
      await open(page, 'Keys')
      await page.getByLabel('Name of the new key').fill('website')
      await page.getByRole('button', { name: 'Make the key' }).click()
      await page.getByText('It is shown this once').waitFor()
      await page.getByRole('button', { name: 'Revoke website' }).click()
      await look(page, 'keys')
      expect(complaints).toEqual([])
    },
  )

  test('everybody can read what goes wrong', { tags: 'deep', timeout: 600_000 }, async () => {
    const { page } = await visit('/playground')
    await page.getByLabel('Key').fill('ads_wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await look(page, 'wrong-key')

    const text = '😀 تفتح المكتبة أبوابها في التاسعة صباحا. وتغلق يوم الجمعة.'
    const { datastore } = await makeLearnedAgent(client, [{ name: 'مواعيد المكتبة', text }])
    const { key } = await makeKey(client, { scopes: ['datastores:read'] })
    const { page: narrow } = await visit(`/playground#key=${key}`)
    await narrow.getByText('search here').waitFor()
    await look(narrow, 'narrow-key')

    const own = await visitPart('documents', datastore)
    const longName = `${'a-very-long-name-of-a-file-'.repeat(6)}.md`
    const files = {
      'scan.pdf': pdfOf([[]]),
      'old.xls': Buffer.from('d0cf11e0', 'hex'),
      [longName]: Buffer.from('# Bread\n\nIt is baked at five.'),
    }
    const payloads = Object.entries(files).map(([name, buffer]) => ({ name, mimeType: '', buffer }))
    await own.getByLabel('Files', { exact: true }).setInputFiles(payloads)
    await own.getByText('1 of 3 files put in, 2 not').waitFor()
    await button(own, /^a-very/).click()
    await own.locator('.source .block').first().waitFor()
    await look(own, 'uploads')

    await open(own, 'Ask')
    await ask(own, 'متى تفتح المكتبة أبوابها؟')
    await marked(own)
    await own.route('**/agents/*/query', (route) => route.abort())
    await ask(own, 'متى تغلق المكتبة؟')
    await own.getByText('The server does not answer').waitFor()
    await look(own, 'right-to-left')

    await makeDatastore(client, 'remaining')
    await sdk.deleteDatastore({ client, path: { id: datastore }, throwOnError: true })
    await own.evaluate(`location.hash = 'pane=search&datastore=${datastore}x'`)
    await own.getByText('is gone. This is another one').waitFor()
    await look(own, 'gone')
  })
})
