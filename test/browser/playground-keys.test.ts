import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { Scope } from '../../generated/types.gen.ts'
import { hasChromium } from '../support/chromium.ts'
import { button, choose, open, playgroundOf } from '../support/playground.ts'
import { startServer } from '../support/server.ts'
import { makeDatastore, makeKey, upsert } from '../support/things.ts'

/** What each key may do can be done, and the rest is said. */
describe.runIf(hasChromium)('keys on /playground', async () => {
  if (!hasChromium) return
  const { url, client } = await startServer()
  const { visit, visitPart } = playgroundOf(url)

  test('a key that does not do is said in words', { tags: 'deep' }, async () => {
    const { page } = await visit('/playground')
    const give = async (key: string) => {
      await page.getByLabel('Key', { exact: true }).fill(key)
      await button(page, 'Go on').click()
    }
    await give('ads_wrong')
    await page.getByRole('alert').getByText('The server does not take this key').waitFor()
    const soon = new Date(Date.now() + 1500).toISOString()
    const { key: expiring } = await makeKey(client, { expiresAt: soon })
    await expect.poll(() => statusWith(expiring)).toBe(401)
    await give(expiring)
    await page.getByRole('alert').getByText('The server does not take this key').waitFor()
    const datastore = await makeDatastore(client, 'readable')
    await upsert(client, datastore, 'The library opens at nine.')
    const { key } = await makeKey(client, { scopes: ['datastores:read'] })
    const kept = () => page.evaluate('localStorage.length')
    expect(await kept()).toBe(0)
    await page.getByRole('checkbox').check()
    await give(key)
    await expect.poll(kept).toBe(1)
    await page.getByRole('alert').getByText('agents:read').waitFor()
    await choose(page, datastore)
    await open(page, 'Documents')
    await page.getByText('may not put documents in and delete them').waitFor()
    expect(await page.getByLabel('Files', { exact: true }).count()).toBe(0)
    expect(await button(page, /Delete|New datastore/).count()).toBe(0)
    await open(page, 'Keys')
    await page.getByText('may not make and revoke keys').waitFor()
    expect(await button(page, 'Make the key').count()).toBe(0)
    await button(page, 'Use another key').click()
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0)
  })

  const statusWith = async (key: string) =>
    (await fetch(`${url}/datastores`, { headers: { authorization: `Bearer ${key}` } })).status

  test('the key that the page uses is told from others', { tags: 'deep' }, async () => {
    const body = { name: 'own', scopes: ['keys:admin' as const] }
    const { data } = await sdk.createKey({ client, body, throwOnError: true })
    const { page } = await visit(`/playground#key=${data.key}`)
    await page.evaluate(`location.hash = 'pane=keys'`)
    const own = page.getByRole('button', { name: /^Revoke the key of this page/ })
    await own.waitFor()
    expect(await own.count()).toBe(1)
  })

  test(
    'a key for one datastore alone lies in a workspace of its own',
    { tags: 'deep' },
    async () => {
      const page = await visitPart('keys', await makeDatastore(client, 'hidden'))
      await page.getByLabel('Name of the new key').fill('colleague')
      await page.getByLabel('Workspace, if another').fill('shared-shelf')
      await page.getByText('The same from a program').click()
      await page
        .getByText('{"name":"colleague","scopes":["agents:read","agents:query","datastores:read"],')
        .and(page.getByText('"workspace":"shared-shelf"}'))
        .waitFor()
      await page.getByRole('button', { name: 'Make the key' }).click()
      const link = page.getByRole('link', { name: 'Open this page with it' })
      const href = await link.evaluate((one) => (one as HTMLAnchorElement).href)
      const { page: colleague } = await visit(href)
      await colleague.getByText('This key may not put documents in').waitFor()
      expect(await colleague.getByText('hidden').count()).toBe(0)
      await page.getByRole('button', { name: 'Revoke colleague' }).click()
      await page.getByRole('button', { name: 'Really revoke colleague?' }).click()
      await page.getByText('revoked on').waitFor()
      await colleague.reload({ waitUntil: 'networkidle' })
      await colleague.getByRole('alert').getByText('The server does not take this key').waitFor()
    },
  )

  /** The parts of the page that a key of a scope alone opens. */
  const opened: Partial<Record<Scope, string[]>> = {
    'datastores:read': ['Search', 'Documents'],
    'keys:admin': ['Keys'],
  }

  test.each(Object.values(Scope))(
    'a key that has %s alone finds no button that does nothing',
    { tags: 'deep' },
    async (scope) => {
      await upsert(client, await makeDatastore(client, 'there'), 'The library opens at nine.')
      const { key } = await makeKey(client, { scopes: [scope] })
      const { page } = await visit(`/playground#key=${key}`)
      const main = page.getByRole('main')
      for (const part of ['Ask', 'Search', 'Documents', 'Keys']) {
        await open(page, part)
        if (opened[scope]?.includes(part)) {
          await main.getByRole('textbox').or(main.getByRole('searchbox')).first().waitFor()
          expect(await main.getByRole('alert').count()).toBe(0)
        } else {
          await main.getByText('lacks the scope').first().waitFor()
          expect(await main.getByRole('button').count()).toBe(0)
        }
      }
    },
  )
})
