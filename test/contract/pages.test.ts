import { expect, test } from 'vitest'
import { startServer } from '../support/server.ts'

const { url } = await startServer()

test.each(['/', '/docs', '/problems'])(
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
    expect(await page.text()).not.toMatch(/<script>|<style|style=|https?:\/\//)
    const head = await fetch(url + path, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const post = await fetch(url + path, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect((await fetch(`${url}${path === '/' ? '//' : `${path}/`}`)).status).toBe(404)
  },
)
