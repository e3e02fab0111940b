import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { contractHistory } from '../../codegen/changes/history.ts'
import { root } from '../support/contract.ts'
import { joinServer, temporaryDirectory, testKey } from '../support/server.ts'

const { url } = await joinServer()

test.each(['/', '/docs', '/playground', '/problems', '/changes', '/document'])(
  '%s needs no key, allows nothing from elsewhere, and can be headed',
  async (path) => {
    const page = await fetch(url + path)
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; /,
    )
    expect(page.headers.get('x-request-id')).toMatch(/^req_/)
    expect(await page.text()).not.toMatch(/<script>|<style|style=|(?:src|href)="(?:https?:)?\/\//)
    const head = await fetch(url + path, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const post = await fetch(url + path, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  },
)

test('/playground is small, and / and /docs lead to it', async () => {
  const packed = async (name: string) =>
    gzipSync(await readFile(join(root, 'generated', name))).length
  expect(await packed('playground.js')).toBeLessThanOrEqual(45 * 1024)
  expect(await packed('playground.css')).toBeLessThanOrEqual(10 * 1024)
  for (const path of ['/', '/docs']) {
    expect(await (await fetch(url + path)).text()).toContain('href="playground"')
  }
})

const unescaped = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

test(
  'the commands on / lead from a key to the answer that it shows',
  { tags: 'deep' },
  async () => {
    const html = await (await fetch(url)).text()
    const blocks = Array.from(html.matchAll(/<pre[^>]*><code>(.*?)<\/code>/gs), ([, text = '']) =>
      unescaped(text),
    )
    expect(blocks[0]).toBe(`export SERVICE_URL=${url}`)
    const commands = blocks.filter((block) => block.startsWith('curl'))
    const options = { cwd: await temporaryDirectory(), env: { ...process.env, API_KEY: testKey } }
    const script = [...commands.slice(0, -1), 'echo', commands.at(-1)].join('\n')
    const { stdout } = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', script], options)
    const [answered, shown] = [stdout.split('\n').at(-1)!, blocks.at(-1)!].map((text) =>
      JSON.parse(text.replaceAll(/src_\w+/g, 'src_').replace(/(0\.\d{3})\d+/, '$1')),
    )
    expect(answered).toEqual(shown)
  },
)

test('/ has the very steps of README, with its own address', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const html = unescaped(await (await fetch(url)).text())
  const [, walk = ''] = readme.split('## Run it')
  const blocks = Array.from(walk.matchAll(/^```sh\n(.*?)\n```$/gms), ([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(3)
  for (const block of blocks) {
    expect(html).toContain(block.replaceAll('http://127.0.0.1:3000', url))
  }
})

test('/ has the address it was asked at in its commands', async () => {
  const headers = { 'x-forwarded-host': 'a.example', 'x-forwarded-prefix': '/api' }
  const html = await (await fetch(url, { headers })).text()
  expect(html).toContain('curl -s http://a.example/api/datastores/$DATASTORE/query')
  expect(html).not.toContain(url)
})

test('/problems begins with a list that leads to every problem', async () => {
  const html = await (await fetch(`${url}/problems`)).text()
  const ids = Array.from(html.matchAll(/<section id="([^"]*)">/g), ([, id]) => id)
  const [list = ''] = html.split('<section')
  expect(ids.length).toBeGreaterThan(20)
  expect(Array.from(list.matchAll(/href="#([^"]*)"/g), ([, id]) => id)).toEqual(ids)
})

test('/changes has each change that `npm run changes` prints, and / and /docs lead to it', async () => {
  const html = unescaped(await (await fetch(`${url}/changes`)).text())
  const [newest] = contractHistory()
  expect(html).toContain(`${newest!.version}, since ${newest!.since}`)
  const lines = Object.values(newest!.changes).flat()
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => !html.includes(`<code>${line}</code>`))).toEqual([])
  for (const { reason } of newest!.reasons) expect(html).toContain(reason)
  for (const path of ['/', '/docs']) {
    expect(await (await fetch(url + path)).text()).toContain('href="changes"')
  }
})
