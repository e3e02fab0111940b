import { mkdirSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { beginEvents, delta, standInAnswer, toEvent } from '../support/chat-answers.ts'
import { hasChromium } from '../support/chromium.ts'
import { root } from '../support/contract.ts'
import { docxOf } from '../support/documents/packages.ts'
import { pdfOf } from '../support/documents/pdf.ts'
import { makeLibrarian } from '../support/librarian.ts'
import {
  ask,
  button,
  choose,
  drop,
  marked,
  open,
  playgroundOf,
  withKey,
} from '../support/playground.ts'
import { Provider } from '../support/provider.ts'
import { openServer, startServer, temporaryDirectory, testKey } from '../support/server.ts'
import { makeDatastore, makeLearnedAgent, upsert } from '../support/things.ts'

const pictures = join(root, 'test-output')
mkdirSync(pictures, { recursive: true })
/** The picture in README; `npm run picture` renews it. */
const picture = process.env.README_PICTURE ?? join(pictures, 'readme.png')

describe.runIf(hasChromium)('/playground in Chromium', async () => {
  if (!hasChromium) return
  const { url, client } = await startServer()
  const { visit } = playgroundOf(url)

  /** A file of the person's own. */
  async function fileOfMaps(): Promise<string> {
    const path = join(await temporaryDirectory(), 'maps.md')
    await writeFile(path, 'The cellar holds maps of the river.')
    return path
  }

  test('a person goes by mouse to a marked quote, as the picture of README shows, and on', async () => {
    const { page, complaints, outside } = await visit(withKey)
    expect(page.url()).toBe(`${url}/playground`)
    await button(page, 'Try it with a sample').click()
    expect(await marked(page)).toContain('A book may be kept for four weeks')
    await photograph(page)
    await button(page, 'Close').click()
    await button(page, /^Source 1: lending\.pdf, page 2$/)
      .first()
      .click()
    expect(await marked(page)).toContain('A book may be kept for four weeks')

    await open(page, 'Documents')
    await page.locator('.drop').waitFor()
    await drop(page, await fileOfMaps())
    await page.getByText('✓ 1 fragment').waitFor()
    await open(page, 'Search')
    await page.getByRole('searchbox', { name: 'Search' }).fill('river maps')
    await page
      .getByRole('listitem')
      .filter({ hasText: 'The cellar' })
      .locator('mark')
      .first()
      .waitFor()

    await open(page, 'Keys')
    await page.getByLabel('Name of the new key').fill('website')
    await button(page, 'Make the key').click()
    const shown = await page.getByRole('region', { name: 'The new key itself' }).textContent()
    const { id } = await newestKey()
    expect(shown).toMatch(new RegExp(`^ads_${id}_`))
    await button(page, 'Revoke website').click()
    await button(page, 'Really revoke website?').click()
    await page.getByText('revoked on').waitFor()
    expect((await newestKey()).revokedAt).not.toBeNull()
    expect([complaints, outside]).toEqual([[], []])
  })

  async function photograph(page: Page): Promise<void> {
    await page.setViewportSize({ width: 1120, height: 620 })
    await page.screenshot({ path: picture, animations: 'disabled' })
    expect((await stat(picture)).size).toBeLessThan(200 * 1024)
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  const newestKey = async () => {
    const { data } = await sdk.listKeys({ client, throwOnError: true })
    return data.data.at(-1)!
  }

  test('beside each file stands what was made of it, or why not', { tags: 'deep' }, async () => {
    const datastore = await makeDatastore(client, 'files')
    const { page, outside } = await visit(withKey)
    await choose(page, datastore)
    await open(page, 'Documents')
    const pdf = pdfOf([['The first page is about bread.'], ['The second page is about cheese.']])
    const files = {
      'two-pages.pdf': pdf,
      'plan.docx': docxOf(['The plan is to plant oaks.']),
      'scan.pdf': pdfOf([[]]),
      'broken.pdf': pdf.subarray(0, 300),
      'old.xls': Buffer.from('d0cf11e0a1b11ae10000000000000000', 'hex'),
    }
    await page
      .getByLabel('Files', { exact: true })
      .setInputFiles(
        Object.entries(files).map(([name, buffer]) => ({ name, mimeType: '', buffer })),
      )
    await page.getByText('2 of 5 files put in, 3 not').waitFor()
    const outcomes = await page.locator('.uploads li').allTextContents()
    expect(outcomes).toEqual([
      expect.stringMatching(/^scan\.pdf ✗ .*scan/),
      expect.stringMatching(/^broken\.pdf ✗ /),
      expect.stringMatching(/^old\.xls ✗ .*XLSX/),
      expect.stringMatching(/^two-pages\.pdf ✓ \d fragments?, 2 pages$/),
      expect.stringMatching(/^plan\.docx ✓ 1 fragment$/),
    ])
    await button(page, 'two-pages.pdf').first().click()
    await page.getByText('Page 2', { exact: true }).waitFor()
    await button(page, 'Delete two-pages.pdf').click()
    await button(page, 'Really delete two-pages.pdf?').click()
    await page.getByText('1 document', { exact: true }).waitFor()
    expect(outside).toEqual([])
  })

  /** Goes on with Tab until it is there. */
  async function tabTo(page: Page, wanted: Locator): Promise<void> {
    await wanted.waitFor()
    const isThere = () => wanted.evaluate((one) => one === document.activeElement)
    for (let presses = 0; !(await isThere()); presses++) {
      if (presses > 100) throw new Error(`Tab does not reach ${wanted.toString()}`)
      await page.keyboard.press('Tab')
    }
  }

  const typeInto = async (page: Page, label: string, text: string): Promise<void> => {
    await tabTo(page, page.getByLabel(label, { exact: true }))
    await page.keyboard.type(text)
  }

  const press = async (page: Page, role: 'button' | 'link', name: string): Promise<void> => {
    await tabTo(page, page.getByRole(role, { name, exact: true }).first())
    await page.keyboard.press('Enter')
  }

  test('a person goes by keyboard alone from a pasted key to a marked quote, and on', async () => {
    const own = await openServer({ dataUri: await temporaryDirectory() })
    onTestFinished(own.close)
    const { page, complaints, outside } = await visit(`${own.url}/playground`)
    await typeInto(page, 'Key', testKey)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Keys', exact: true }).waitFor()
    expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true)
    await press(page, 'button', 'Try it with a sample')
    expect(await marked(page)).toContain('A book may be kept for four weeks')
    await press(page, 'button', 'Close')
    await press(page, 'button', 'Source 1: lending.pdf, page 2')
    expect(await marked(page)).toContain('A book may be kept for four weeks')
    await typeInto(page, 'Your next question', 'When is the library open on Saturdays?')
    await page.keyboard.press('Enter')
    await page.locator('.turn[aria-busy=false]').nth(1).waitFor()

    await press(page, 'link', 'Documents')
    const chooser = page.waitForEvent('filechooser')
    await press(page, 'button', 'Files')
    await (await chooser).setFiles(await fileOfMaps())
    await page.getByText('✓ 1 fragment').waitFor()
    await press(page, 'link', 'Search')
    await tabTo(page, page.getByRole('searchbox', { name: 'Search' }))
    await page.keyboard.type('river maps')
    await page.getByRole('listitem').locator('mark', { hasText: 'river' }).waitFor()

    await press(page, 'link', 'Keys')
    await typeInto(page, 'Name of the new key', 'website')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'The new key itself' }).waitFor()
    await press(page, 'button', 'Revoke website')
    await page.keyboard.press('Enter')
    await page.getByText('revoked on').waitFor()
    expect([complaints, outside]).toEqual([[], []])
  })

  test('a text is put in and asked about by keyboard alone', { tags: 'deep' }, async () => {
    await makeDatastore(client, 'another')
    const { page, complaints, outside } = await visit('/playground')
    await typeInto(page, 'Key', testKey)
    await page.keyboard.press('Enter')
    await press(page, 'button', 'New datastore')
    await typeInto(page, 'Name of the new datastore', 'Typed')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Documents of Typed' }).waitFor()
    await tabTo(page, page.getByText('Metadata for new documents'))
    await page.keyboard.press('Enter')
    await typeInto(page, 'One key = value per line', 'place = harbour')
    await tabTo(page, page.getByText('Paste a text'))
    await page.keyboard.press('Enter')
    await typeInto(page, 'Text', 'The lighthouse keeper feeds seven cats.')
    await press(page, 'button', 'Put it in')
    await page.getByText('1 document', { exact: true }).waitFor()
    await press(page, 'link', 'Ask')
    await press(page, 'button', 'Make an agent')
    await typeInto(page, 'Your question', 'Who feeds the cats?')
    await page.keyboard.press('Enter')
    expect(await marked(page)).toBe('The lighthouse keeper feeds seven cats.')
    await press(page, 'button', 'Close')
    await press(page, 'button', 'Source 1: a document without a name')
    expect(await marked(page)).toBe('The lighthouse keeper feeds seven cats.')
    await press(page, 'link', 'Search')
    await tabTo(page, page.getByRole('searchbox', { name: 'Search' }))
    await page.keyboard.type('cats')
    await page.getByRole('listitem').locator('mark', { hasText: 'cats' }).waitFor()
    await page.getByRole('option', { name: 'place = harbour' }).waitFor({ state: 'attached' })
    await press(page, 'link', 'Ask')
    await page.getByRole('heading', { name: 'Who feeds the cats?' }).waitFor()
    expect([complaints, outside]).toEqual([[], []])
  })

  test(
    'a question that is not answered has a look of its own, and says why',
    { tags: 'deep' },
    async () => {
      const { datastore } = await makeLearnedAgent(client, [
        'The library opens at nine.',
        'Books are red.',
      ])
      const { page } = await visit(withKey)
      await choose(page, datastore)
      await ask(page, 'Qwertzuiop xyzzy?')
      await page.getByText('No fragment has anything of this question.').waitFor()
      await page.getByText('Settings').click()
      await page.getByLabel('minScore').fill('0.99')
      await ask(page, 'When does the library open?')
      await page.getByText('which is below the minScore of 0.99').waitFor()
      expect(await page.locator('.declined').count()).toBe(2)
      await page.getByLabel('minScore').fill('')
      await ask(page, 'When does the library open?')
      expect(await page.locator('.declined').count()).toBe(2)
    },
  )

  test(
    'settings are tried in a question, and count for everybody once they are saved',
    { tags: 'deep' },
    async () => {
      const provider = await Provider.start()
      const own = await openServer({ dataUri: await temporaryDirectory(), chat: provider.chat })
      onTestFinished(own.close)
      const id = await makeLibrarian(own.client)
      const prompt = async () =>
        (await sdk.getAgent({ client: own.client, path: { id }, throwOnError: true })).data
          .systemPrompt
      const asked = 'Speak like a pirate.'
      const { page } = await visit(`${own.url}${withKey}`)
      await page.getByText('Settings').click()
      await page.getByLabel('System prompt').fill(asked)
      await ask(page, 'When does the library open?')
      // The number that the model wrote, with its space, is the link.
      expect(await page.locator('.said').textContent()).toBe(standInAnswer.replace(' [', '['))
      expect(await button(page, /^Source 1: /).count()).toBe(2)
      expect(provider.chats.at(-1)!.body.messages[0]!.content).toContain(asked)
      expect(await prompt()).toBe('')
      await page.getByLabel(/^What it says when/).fill('No idea.')
      await button(page, 'Save for everybody').click()
      await page.getByText('Settings', { exact: true }).waitFor()
      expect(await prompt()).toBe(asked)
      const knowledge = await sdk.getKnowledge({
        client: own.client,
        path: { id },
        throwOnError: true,
      })
      expect(knowledge.data.noAnswer).toBe('No idea.')
    },
  )

  test('many documents are listed, and a long one is opened soon', { tags: 'deep' }, async () => {
    const datastore = await makeDatastore(client, 'many')
    for (let first = 0; first < 2_000; first += 500) {
      const documents = Array.from({ length: 500 }, (_, one) => ({
        name: `note ${first + one}`,
        text: `Number ${first + one}.`,
      }))
      await upsert(client, datastore, ...documents)
    }
    const line = 'All work and no play makes Jack a dull boy.\n'
    await upsert(client, datastore, { name: 'novel', text: line.repeat(2 ** 20 / line.length) })
    const { page, complaints } = await visit(withKey)
    await choose(page, datastore)
    await open(page, 'Documents')
    await page.getByText('2,001 documents', { exact: true }).waitFor()
    await page.getByLabel('Find by name').fill('note 1999')
    await page.getByText('1 of 2,001 documents').waitFor()
    await page.getByLabel('Find by name').fill('novel')
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Performance.enable')
    const processorTime = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'ProcessTime')!.value
    }
    const before = await processorTime()
    await button(page, 'novel').first().click()
    await page.locator('.text').getByText('All work').first().waitFor()
    expect((await processorTime()) - before).toBeLessThan(1)
    expect(complaints).toEqual([])
  })

  test(
    'a server that goes in the middle of an answer is told of once',
    { tags: 'deep' },
    async () => {
      const provider = await Provider.start()
      const own = await openServer({ dataUri: await temporaryDirectory(), chat: provider.chat })
      onTestFinished(own.close)
      await makeLibrarian(own.client)
      const proxy = await startProxy(own.url, '')
      provider.chatBehaviour = (call, response) => {
        beginEvents(response)
        response.write(toEvent(delta(call, 'The library opens at nine. It is')))
      }
      const { page } = await visit(`${proxy.url}${withKey}`)
      await page.getByLabel('Your question').fill('When does the library open?')
      await page.keyboard.press('Enter')
      await page.getByRole('article').getByText('It is').first().waitFor()
      expect(await page.getByRole('log').textContent()).not.toContain('It is')
      proxy.cut()
      await page.getByText('The answer broke off here.').waitFor()
      expect(await page.getByRole('alert').count()).toBe(1)
    },
  )

  test(
    'behind a prefix everything works, and the calls that are shown have it',
    { tags: 'deep' },
    async () => {
      const proxy = await startProxy(url, '/behind/a.proxy')
      const { datastore } = await makeLearnedAgent(client, ['The library opens at nine.'])
      const { page, complaints, outside } = await visit(`${proxy.url}${withKey}`)
      await button(page, 'New datastore').click()
      await page.getByLabel('Name of the new datastore').fill('Behind')
      await button(page, 'Make it').click()
      await page.getByRole('region', { name: 'Documents of Behind' }).waitFor()
      await page.getByText('An example from a program').click()
      await page.getByText(`curl -sS '${proxy.url}/datastores/dst_`).waitFor()
      await button(page, 'TypeScript').click()
      await page.getByText(`baseUrl: '${proxy.url}'`).waitFor()
      await page.getByText(`{ file: { path: 'notes.pdf' }, key: 'notes.pdf' }`).waitFor()
      await page.getByText('npm run pack:client -- DIR').waitFor()
      await choose(page, datastore)
      await open(page, 'Ask')
      await ask(page, 'When does the library open?')
      expect(await marked(page)).toBe('The library opens at nine.')
      expect([complaints, outside]).toEqual([[], []])
    },
  )

  /** A proxy in front of a server that takes a prefix off each path. */
  async function startProxy(target: string, prefix: string) {
    const server = createServer((incoming, answer) => {
      const headers = { ...incoming.headers, 'x-forwarded-prefix': prefix }
      const path = incoming.url!.slice(prefix.length)
      const outgoing = httpRequest(target + path, { method: incoming.method!, headers }, (got) => {
        answer.writeHead(got.statusCode!, got.headers)
        got.pipe(answer)
      })
      outgoing.on('error', () => answer.destroy())
      incoming.pipe(outgoing)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const cut = () => {
      server.close()
      server.closeAllConnections()
    }
    onTestFinished(cut)
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`, cut }
  }
})
