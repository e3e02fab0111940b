import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { operations } from '../support/contract.ts'
import { send } from '../support/raw.ts'
import { pathOf } from '../support/requests.ts'
import { joinServer } from '../support/server.ts'

const { url } = await joinServer()

/** Every path of the contract with the methods it takes. */
const paths = [...Map.groupBy(operations, ({ path }) => path).values()].map((ofPath) => {
  const methods = ofPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method))
  return [pathOf(ofPath[0]!), [...methods, 'OPTIONS'].toSorted()] as const
})
const pages = ['/', '/docs', '/problems', '/openapi.json', '/docs/style.css'].map(
  (path) => [path, ['GET', 'HEAD', 'OPTIONS']] as const,
)

describe.each([...paths, ...pages])('%s', (path, methods) => {
  test('OPTIONS is 204 with the methods, without a key', async () => {
    const response = await fetch(url + path, { method: 'OPTIONS' })
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(methods)
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    expect(response.headers.get('access-control-allow-methods')).toBeNull()
  })

  test('a method it does not take is 405 with the same', async () => {
    const response = await send(url, 'PURGE', path)
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(methods)
  })
})

test('OPTIONS on a path there is not is 404', async () => {
  for (const path of ['/nowhere', '/agents/', '//agents', '/datastores/a/b/c']) {
    expect((await send(url, 'OPTIONS', path)).status).toBe(404)
  }
})

test('OPTIONS * is told every method there is', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.end('OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 204 /)
  const allowed = /^Allow: (.*)\r$/m.exec(answer)?.[1]?.split(', ')
  const all = new Set(operations.map(({ method }) => method))
  expect(allowed?.toSorted()).toEqual([...all, 'HEAD', 'OPTIONS'].toSorted())
})

test.each([
  ['//agents', 'two slashes in a row'],
  ['/agents//agt_1', 'two slashes in a row'],
  ['/datastores//dst_1/query', 'two slashes in a row'],
  ['//', 'two slashes in a row'],
  ['/api//datastores/upsert/dst_1', 'two slashes in a row'],
  ['/agents/', 'Leave out the slash at its end.'],
  ['/nowhere', 'The service has no such path.'],
  ['/datastores/upsert/dst_1', 'Did you mean /api/datastores/upsert/dst_1?'],
  ['/api/datastores/dst_1/query', 'Did you mean /datastores/dst_1/query?'],
  ['/api/agents', 'Did you mean /agents?'],
  ['/datastores/dst_1/documents/hours/main.md', 'Write a slash of a key as %2F.'],
  ['/datastores/dst_1/files/hours/main.md', 'Write a slash of a key as %2F.'],
])('%s is 404 and says why', async (path, why) => {
  const response = await send(url, 'GET', path)
  const problem = (await response.json()) as { detail: string; instance: string }
  expect([response.status, problem.detail]).toEqual([404, expect.stringContaining(why)])
  // What it names is on this server, however its path begins.
  expect(new URL(problem.instance, url).host).toBe(new URL(url).host)
})

test.each(['/docs/', '/problems/', '/changes/', '/openapi.json/', '/openapi.yaml/'])(
  '%s leads to the page, also below a prefix',
  async (path) => {
    const response = await fetch(url + path, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([
      308,
      `..${path.slice(0, -1)}`,
    ])
  },
)

test('the icon of the server is an icon, in the one form that old browsers ask for, and as a picture', async () => {
  const response = await fetch(`${url}/favicon.ico`)
  const type = response.headers.get('content-type')
  expect([response.status, type]).toEqual([200, 'image/vnd.microsoft.icon'])
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.subarray(0, 6)).toEqual(Buffer.from([0, 0, 1, 0, 1, 0]))
  const [, link] = /<link rel="icon"[^>]*href="([^"]*)"/.exec(await (await fetch(url)).text()) ?? []
  const picture = await fetch(new URL(link!, url))
  expect(picture.headers.get('content-type')).toBe('image/svg+xml')
})
