import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasChromium } from '../support/chromium.ts'
import { ask, button, playgroundOf } from '../support/playground.ts'
import { startServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, makeKey, makeLearnedAgent, upsert } from '../support/things.ts'
import { faultsOf, isWiderThanTheWindow } from '../support/visits.ts'

/** What people met who saw the page for the first time. */
describe.runIf(hasChromium)('/playground for strangers', async () => {
  if (!hasChromium) return
  const { url, client } = await startServer()
  const { visit, visitPart } = playgroundOf(url)

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

  test('an answer shows headings and code, not their signs', { tags: 'deep' }, async () => {
    const text =
      '# Tools\n\n## Whisks\n\nTo clean whisks, run:\n\n```sh\nwhisk --clean **all**\n```\n'
    const { datastore } = await makeLearnedAgent(client, [text])
    const page = await visitPart('ask', datastore)
    await ask(page, 'How do I clean whisks?')
    const said = page.locator('.said')
    expect(await said.locator('code').textContent()).toBe('whisk --clean **all**')
    expect(await said.textContent()).not.toMatch(/#|```/)
  })

  test('what is tried of the settings is there after another part', { tags: 'deep' }, async () => {
    const { datastore } = await makeLearnedAgent(client, ['The library opens at nine.'])
    const page = await visitPart('ask', datastore)
    await page.getByText('Settings').click()
    await page.getByLabel(/^What it says when/).fill('Ask the desk.')
    await page.getByRole('link', { name: 'Search', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Search' }).waitFor()
    await page.getByRole('link', { name: 'Ask', exact: true }).click()
    await page.getByText('Settings (tried, not saved)').waitFor()
    await ask(page, 'Qwertzuiop xyzzy?')
    expect(await page.locator('.declined .said').textContent()).toBe('Ask the desk.')
  })

  test('metadata that cannot be read keep files from being sent', { tags: 'deep' }, async () => {
    const page = await visitPart('documents', await makeDatastore(client, 'mistyped'))
    await page.getByText('Metadata for new documents').click()
    await page.getByLabel('One key = value per line').fill('shelf')
    const file = { name: 'a.md', mimeType: 'text/markdown', buffer: Buffer.from('Text.') }
    await page.getByLabel('Files', { exact: true }).setInputFiles(file)
    await page
      .locator('.drop')
      .getByRole('alert')
      .getByText('Write "shelf" as key = value.')
      .waitFor()
    expect(await page.locator('.uploads li').count()).toBe(0)
    await page.getByLabel('One key = value per line').fill('shelf = 3')
    await page.getByLabel('Files', { exact: true }).setInputFiles(file)
    await page.getByText('1 of 1 file put in').waitFor()
    expect(await page.locator('.drop').getByRole('alert').count()).toBe(0)
  })

  test('an answer stays as it was when the settings change', { tags: 'deep' }, async () => {
    const { datastore } = await makeLearnedAgent(client, ['The library opens at nine.'])
    const page = await visitPart('ask', datastore)
    await page.getByText('Settings').click()
    await page.getByLabel('Name', { exact: true }).fill('Front desk')
    await page.getByLabel(/^What it says when/).fill('Ask the desk.')
    await ask(page, 'Qwertzuiop xyzzy?')
    const held = Promise.withResolvers<Route>()
    await page.route(/\/agents\?limit/, held.resolve)
    await button(page, 'Save for everybody').click()
    const list = await held.promise
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Front desk')
    await list.continue()
    await page.getByText('Saved.').waitFor()
    expect(await page.locator('.declined .said').textContent()).toBe('Ask the desk.')
  })

  test('what does not go is said with what to do', { tags: 'deep' }, async () => {
    const page = await visitPart('keys', await makeDatastore(client, 'empty'))
    await page.getByLabel('Name of the new key').fill('none')
    await page.getByRole('checkbox', { name: 'datastores:read' }).uncheck()
    await page.getByRole('checkbox', { name: 'agents:query' }).uncheck()
    await page.getByRole('checkbox', { name: 'agents:read' }).uncheck()
    await button(page, 'Make the key').click()
    await page.getByRole('alert').getByText('Tick at least one thing').waitFor()
    await page.getByRole('checkbox', { name: 'datastores:read' }).check()
    await page.getByLabel('Expires on').fill('2020-12-24')
    const isValid = page
      .getByLabel('Expires on')
      .evaluate((one) => (one as HTMLInputElement).validity.rangeUnderflow)
    expect(await isValid).toBe(true)

    await page.getByRole('link', { name: 'Search', exact: true }).click()
    await page.getByRole('link', { name: 'put documents in' }).click()
    await page.getByText('An example from a program').click()
    await page.getByText('curl -sS ').waitFor()
    await page.getByText('export API_KEY=').waitFor()

    // A question that was cut would lose its end without a word.
    await page.getByRole('link', { name: 'Search', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Search' }).focus()
    await page.keyboard.insertText('x'.repeat(8193))
    await page.getByRole('alert').getByText('more than 8192 characters').waitFor()

    const { key } = await makeKey(client, { scopes: ['datastores:read'] })
    const { page: narrow } = await visit(`/playground#key=${key}`)
    await narrow.getByText('agents:read. Use another key, or have one made').waitFor()
  })

  test('many files leave their documents in sight, and apart', { tags: 'deep' }, async () => {
    const page = await visitPart('documents', await makeDatastore(client, 'folders'))
    const folder = join(await temporaryDirectory(), 'folder')
    for (let n = 0; n < 20; n++) {
      await mkdir(join(folder, `part-${n}`), { recursive: true })
      await writeFile(join(folder, `part-${n}`, 'notes.md'), n === 7 ? '' : `Number ${n}.`)
    }
    await page.getByLabel('A folder').setInputFiles(folder)
    await page.getByText('19 of 20 files put in, 1 not').waitFor()
    await page.getByRole('button', { name: 'folder/part-3/notes.md', exact: true }).waitFor()
    await page.getByLabel('Find by name').fill('part-3')
    await page.getByText('1 of 19 documents').waitFor()
    const { height } = (await page.locator('.uploads').boundingBox())!
    expect(height).toBeLessThan(300)
    expect(await faultsOf(page, ['minor', 'moderate', 'serious', 'critical'])).toEqual([])
  })

  /** What has the focus, as it is called. */
  const focused = (page: Page): Promise<string> =>
    page.evaluate(
      '((one) => one.ariaLabel ?? one.labels?.[0]?.firstChild.textContent ?? one.textContent)(document.activeElement)',
    )

  test('the focus stays near what goes', { tags: 'deep' }, async () => {
    const datastore = await makeDatastore(client, 'kept')
    await upsert(client, datastore, { name: 'first', text: 'Bread is baked at five.' })
    await upsert(client, datastore, {
      name: 'second',
      text: 'Cheese lies there.',
      metadata: { a: 1 },
    })
    const page = await visitPart('documents', datastore)
    const goesTo = (name: string) => expect.poll(() => focused(page)).toBe(name)
    await button(page, 'first').first().click()
    await goesTo('Text of the document')
    await button(page, 'Close').click()
    await goesTo('first')
    await button(page, 'Delete second').click()
    await button(page, 'Really delete second?').click()
    await goesTo('first')

    await page.getByRole('link', { name: 'Ask', exact: true }).click()
    await button(page, 'Make an agent').click()
    await goesTo('Agent')
    await ask(page, 'When is bread baked?')
    await page.locator('.source mark').waitFor()
    await button(page, 'Close').click()
    await goesTo('Your next question')
    await button(page, 'New conversation').click()
    await goesTo('Your question')

    await button(page, 'New datastore').click()
    await goesTo('Name of the new datastore')
    await page.keyboard.type('Another')
    await page.keyboard.press('Enter')
    await goesTo('Datastore')
  })

  const nextFrame = (page: Page) =>
    page.evaluate('new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))')
})
