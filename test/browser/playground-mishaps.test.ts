import type { Page, Route } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { hasChromium } from '../support/chromium.ts'
import { button, playgroundOf, withKey } from '../support/playground.ts'
import { openServer, startServer, temporaryDirectory, testKey } from '../support/server.ts'
import { makeDatastore, makeKey, upsert } from '../support/things.ts'

/** A slip of the hand, a lost connection and things of one name do no harm. */
describe.runIf(hasChromium)('/playground after mishaps', async () => {
  if (!hasChromium) return
  const { url, client } = await startServer()
  const { visit, visitPart } = playgroundOf(url)

  /** A page of a server with an empty store. */
  async function visitEmpty() {
    const own = await openServer({ dataUri: await temporaryDirectory() })
    onTestFinished(own.close)
    const { page } = await visit(`${own.url}${withKey}`)
    return { page, client: own.client }
  }

  const isInMain = (page: Page): Promise<boolean> =>
    page.evaluate("document.activeElement.closest('main') !== null")

  test('a key that is held down deletes nothing', { tags: 'deep' }, async () => {
    const id = await makeDatastore(client, 'held')
    await upsert(client, id, { name: 'first', text: 'Bread.' })
    const page = await visitPart('documents', id)
    await button(page, 'Delete first').focus()
    for (let times = 0; times < 5; times++) await page.keyboard.down('Enter')
    await button(page, 'Really delete first?').waitFor()
    await page.keyboard.up('Enter')
    await page.reload({ waitUntil: 'networkidle' })
    await page.getByText('1 document', { exact: true }).waitFor()
    await button(page, 'Delete first').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing is in this datastore yet.').waitFor()
  })

  test('a key of whatever form is known for that of the page', { tags: 'deep' }, async () => {
    const { page } = await visitEmpty()
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await button(page, /^Revoke/).waitFor()
    expect(await page.getByLabel('Datastore', { exact: true }).count()).toBe(0)
    await button(page, /^Revoke the key of this page/).click()
    await button(page, /^Really revoke the key of this page/).click()
    await page.getByText('revoked on').waitFor()
    expect(await button(page, /revoke/i).count()).toBe(0)
  })

  test('a new key is offered until it is revoked', { tags: 'deep' }, async () => {
    const page = await visitPart('keys', await makeDatastore(client, 'keys'))
    await page.getByLabel('Name of the new key').fill('\u202eeliboM')
    await button(page, 'Make the key').click()
    await page.getByText('copy it now').waitFor()
    expect(await page.locator('.made bdi').textContent()).toBe('\u202eeliboM')
    await button(page, 'Revoke \u202eeliboM').click()
    await button(page, 'Really revoke \u202eeliboM?').click()
    await page.getByText('copy it now').waitFor({ state: 'detached' })
  })

  test('datastores of one name are told apart, also when one goes', { tags: 'deep' }, async () => {
    const [one, other] = [await makeDatastore(client, 'twin'), await makeDatastore(client, 'twin')]
    const page = await visitPart('documents', one)
    const choice = page.getByRole('combobox', { name: 'Datastore' })
    const shown = await choice.locator('option', { hasText: 'twin' }).allTextContents()
    expect(shown).toEqual([one, other].map((id) => expect.stringContaining(id.slice(-4))))
    await button(page, /^Delete this datastore/).click()
    await button(page, /^Really delete this datastore/).click()
    await page.getByText('The datastore twin is gone. This is another one: held.').waitFor()
    expect(await isInMain(page)).toBe(true)
  })

  test(
    'a sample that breaks off leaves nothing, and is tried again',
    { tags: 'deep' },
    async () => {
      const { page, client: own } = await visitEmpty()
      const sample = button(page, 'Try it with a sample')
      const count = async () =>
        (await sdk.listDatastores({ client: own, throwOnError: true })).data.data.length
      await page.route('**/docs/sample/fees.html', (route) => route.fulfill({ status: 502 }), {
        times: 1,
      })
      await sample.click()
      await page.getByRole('alert').getByText('fees.html of the sample').waitFor()
      expect(await count()).toBe(0)
      await page.route(/\/files$/, (route) => route.fulfill({ status: 400 }), { times: 1 })
      await sample.click()
      await page.getByRole('alert').waitFor()
      await expect.poll(count).toBe(0)
      await sample.focus()
      await page.keyboard.press('Enter')
      await page.locator('.source mark').waitFor()
      expect(await count()).toBe(1)
      expect(await isInMain(page)).toBe(true)
    },
  )

  test('documents are listed once the server is there again', { tags: 'deep' }, async () => {
    const id = await makeDatastore(client, 'offline')
    await upsert(client, id, { name: 'u\u0308ber', text: 'Bread.' })
    const { page } = await visit(withKey)
    await page.route('**/datasources?**', (route) => route.abort())
    await page.evaluate(`location.hash = 'pane=documents&datastore=${id}'`)
    await page.getByText('The server does not answer').waitFor()
    await page.unroute('**/datasources?**')
    await button(page, 'Try again').click()
    await page.getByText('1 document', { exact: true }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByLabel('Find by name').fill('\u00dcB')
    await button(page, 'u\u0308ber').first().waitFor()
  })

  test('a key in the address is taken however it is written', { tags: 'deep' }, async () => {
    const { page } = await visit(`/playground#key=%61${testKey.slice(1)}%0A`)
    await page.getByRole('link', { name: 'Keys', exact: true }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test.each(['ads_initial_…', 'a%20b'])(
    'what no key can be in the address is not kept: %s',
    { tags: 'deep' },
    async (key) => {
      const { page } = await visit(`/playground#key=${key}`)
      await page.getByRole('heading', { name: 'Give your key' }).waitFor()
      expect(await page.evaluate('sessionStorage.length')).toBe(0)
    },
  )

  test('a second key is revoked while the first one is', { tags: 'deep' }, async () => {
    const names = ['first', 'second']
    for (const name of names) await makeKey(client, { name, workspace: 'revoked' })
    const page = await visitPart('keys', await makeDatastore(client, 'revoking'))
    const held = Promise.withResolvers<Route>()
    await page.route('**/keys/*', held.resolve, { times: 1 })
    for (const name of names) {
      await button(page, `Revoke ${name}`).click()
      await button(page, `Really revoke ${name}?`).click()
    }
    await (await held.promise).continue()
    for (const name of names) {
      await page.getByRole('listitem').filter({ hasText: name }).getByText('revoked on').waitFor()
    }
  })
})
