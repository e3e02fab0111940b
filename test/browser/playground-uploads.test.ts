import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasChromium } from '../support/chromium.ts'
import { drop } from '../support/playground.ts'
import { startServer, temporaryDirectory, testKey } from '../support/server.ts'
import { makeDatastore } from '../support/things.ts'
import { visitor } from '../support/visits.ts'

describe.runIf(hasChromium)('files on /playground', async () => {
  if (!hasChromium) return
  const { url, client } = await startServer()
  const visit = visitor(url)

  async function visitDocuments(name: string): Promise<Page> {
    const { page } = await visit(`/playground#key=${testKey}`)
    const datastore = await makeDatastore(client, name)
    await page.evaluate(`location.hash = 'pane=documents&datastore=${datastore}'`)
    await page.getByRole('region', { name: `Documents of ${name}` }).waitFor()
    return page
  }

  /** A folder of such files. */
  async function folderOf(...paths: string[]): Promise<string> {
    const folder = await temporaryDirectory()
    for (const path of paths) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), `This is ${path}.`)
    }
    return folder
  }

  test('files of a dropped folder are told apart by their paths', { tags: 'deep' }, async () => {
    const page = await visitDocuments('dropped')
    const folder = await folderOf('proj/README.md', 'proj/a/README.md', 'README.md')
    await drop(page, join(folder, 'proj'))
    await page.getByText('2 of 2 files put in').waitFor()
    for (const name of ['proj/README.md', 'proj/a/README.md']) {
      await page.getByRole('button', { name, exact: true }).waitFor()
    }
    await page.getByRole('link', { name: 'Search', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Search' }).fill('proj')
    const result = page.locator('.results').getByRole('button', { name: 'proj/a/README.md' })
    await result.click()
    await page.locator('.source h2').getByText('proj/a/README.md').waitFor()
    await page.getByRole('link', { name: 'Ask', exact: true }).click()
    await page.getByRole('button', { name: 'Make an agent' }).click()
    await page.getByLabel('Your question').fill('What is proj/a/README.md?')
    await page.keyboard.press('Enter')
    await page
      .locator('.sources')
      .getByText(/^proj\/(a\/)?README\.md$/)
      .waitFor()
    await page.getByRole('link', { name: 'Documents', exact: true }).click()
    const two = ['README.md', 'proj/README.md'].map((path) => join(folder, path))
    await page.getByLabel('Files', { exact: true }).setInputFiles(two)
    await page.getByText('3 of 4 files put in, 1 not').waitFor()
    await page.getByText('✗ Another of these files has this path').waitFor()
    await page.getByRole('button', { name: 'README.md', exact: true }).click()
    await page.locator('.source').getByText('This is README.md.').waitFor()
  })

  test(
    'uploads outlive their part of the page, and are tried again',
    { tags: 'deep' },
    async () => {
      const page = await visitDocuments('kept')
      const folder = await folderOf('a.md', 'b.md')
      await writeFile(join(folder, 'c.md'), Buffer.alloc(32 * 1024 * 1024 + 1, 'a\n'))
      await page.getByText('Metadata for new documents').click()
      await page.getByLabel('One key = value per line').fill('shelf = 3')
      const held = Promise.withResolvers<Route>()
      await page.route(/\/files$/, (route) =>
        isOf(route, 'b.md') ? held.resolve(route) : route.continue(),
      )
      const files = ['a.md', 'b.md', 'c.md'].map((name) => join(folder, name))
      await page.getByLabel('Files', { exact: true }).setInputFiles(files)
      const second = await held.promise
      await page.locator('.choice').getByText('1 document ·').waitFor()
      expect(await page.getByText('Nothing is in this datastore yet.').count()).toBe(0)
      await page.getByRole('link', { name: 'Search', exact: true }).click()
      await page.getByRole('searchbox', { name: 'Search' }).waitFor()
      await expect.poll(() => isAskedBeforeLeaving(page)).toBe(true)
      await second.abort()
      await page.getByRole('link', { name: 'Documents', exact: true }).click()
      await page.getByText('1 of 3 files put in, 2 not').waitFor()
      const lines = page.locator('.uploads li')
      await lines.first().getByText('b.md ✗').waitFor()
      await lines.nth(1).getByText('larger than 32 MiB').waitFor()
      await page.unroute(/\/files$/)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('2 of 3 files put in, 1 not').waitFor()
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
      await page.getByLabel('Find by name or metadata').fill('Shelf = 3')
      await page.getByRole('button', { name: 'b.md', exact: true }).click()
      await page.locator('.source').getByText('shelf = 3').waitFor()
      expect(await isAskedBeforeLeaving(page)).toBe(false)
      await page.getByText('The same from a program').click()
      const call = await page.getByRole('region', { name: 'The call' }).textContent()
      for (const part of ['file=@"b.md"', 'key=b.md', 'metadata={"shelf":3}']) {
        expect(call).toContain(part)
      }
    },
  )

  test('a copied upload is that of its file, whatever its name', { tags: 'deep' }, async () => {
    const page = await visitDocuments('names')
    const names = ['a,b.md', 'semi;x.md', '@at.md', '<lt.md', 'back\\slash.md', `it's "so".md`]
    const folder = await folderOf(...names)
    const env = { ...process.env, API_KEY: testKey }
    await page.getByText('An example from a program').click()
    const call = page.getByRole('region', { name: 'The call' })
    let command = await call.textContent()
    for (const name of names) {
      await page.getByLabel('Files', { exact: true }).setInputFiles(join(folder, name))
      await expect.poll(() => call.textContent()).not.toBe(command)
      command = (await call.textContent())!
      const run = await promisify(execFile)('sh', ['-c', command], { cwd: folder, env })
      expect(JSON.parse(run.stdout)).toMatchObject({ key: name, fragmentCount: 1 })
    }
  })

  test('a file that has gone from the disk is said to be gone', { tags: 'deep' }, async () => {
    const page = await visitDocuments('gone')
    const folder = await folderOf('a.md', 'b.md')
    const held = Promise.withResolvers<Route>()
    await page.route(/\/files$/, held.resolve, { times: 1 })
    const files = ['a.md', 'b.md'].map((name) => join(folder, name))
    await page.getByLabel('Files', { exact: true }).setInputFiles(files)
    const first = await held.promise
    await rm(files[1]!)
    await first.continue()
    await page.getByText('b.md ✗ This file cannot be read any more').waitFor()
    await page.getByText('a.md ✓').waitFor()
  })

  test('a pasted text has its outcome, and the call that was made', { tags: 'deep' }, async () => {
    const page = await visitDocuments('pasted')
    const paste = async (text: string) => {
      await page.getByLabel('Text', { exact: true }).fill(text)
      await page.getByRole('button', { name: 'Put it in' }).click()
    }
    await page.getByText('Paste a text').click()
    await page.getByLabel('Name', { exact: true }).fill('note')
    await paste('Cheese lies there.')
    await page.getByText('note ✓ 1 fragment').waitFor()
    // Until the list is there, what lies below it moves, and a click may miss it.
    await page.getByRole('button', { name: 'note', exact: true }).waitFor()
    await page.getByText('The same from a program').click()
    await page.getByText('{"documents":[{"text":"Cheese lies there.","name":"note"}]}').waitFor()
    await paste('a'.repeat(2 ** 20 + 1))
    await page.getByText('1,048,577 characters, and may have 1,048,576').waitFor()
    await page.getByText('note ✓ 1 fragment').waitFor({ state: 'detached' })
  })

  test('another key in mid-upload is asked about', { tags: 'deep' }, async () => {
    const page = await visitDocuments('left')
    const folder = await folderOf('a.md')
    const held = Promise.withResolvers<Route>()
    await page.route(/\/files$/, held.resolve)
    await page.getByLabel('Files', { exact: true }).setInputFiles(join(folder, 'a.md'))
    await held.promise
    const leave = async (isSure: boolean) => {
      page.once('dialog', (dialog) => (isSure ? dialog.accept() : dialog.dismiss()))
      await page.getByRole('button', { name: 'Use another key' }).click()
    }
    await leave(false)
    await page.getByText('a.md is read …').waitFor()
    await leave(true)
    await page.getByRole('heading', { name: 'Give your key' }).waitFor()
  })

  const isOf = (route: Route, name: string): boolean =>
    route.request().postDataBuffer()?.subarray(0, 1000).includes(name) ?? false

  const isAskedBeforeLeaving = (page: Page): Promise<boolean> =>
    page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")
})
