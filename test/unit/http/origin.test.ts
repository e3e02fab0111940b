import { expect, test } from 'vitest'
import { isForeign } from '../../../src/http/mcp-route.ts'

/** What a connection says of its own end, on machines that a test cannot listen on. */
test.each([
  ['::ffff:127.0.0.1', 3000, 'http://localhost:3000', false],
  ['::1', 3000, 'http://[::1]:3000', false],
  ['127.0.0.2', 3000, 'http://127.0.0.2:3000', false],
  ['127.0.0.1', 80, 'http://localhost', false],
  ['192.168.1.5', 3000, 'http://192.168.1.5:3000', false],
  ['::ffff:192.168.1.5', 3000, 'http://192.168.1.5:3000', false],
  ['2001:db8::5', 3000, 'http://[2001:db8::5]:3000', false],
  ['192.168.1.5', 3000, 'http://192.168.1.6:3000', true],
  ['192.168.1.5', 3000, 'http://localhost:3000', true],
  ['fe80::1%eth0', 3000, 'http://localhost:3000', true],
  [undefined, undefined, 'http://localhost:3000', true],
])('at %s, port %s, a page of %s is foreign: %s', (localAddress, localPort, origin, expected) => {
  const socket = { localAddress, localPort }
  expect(isForeign({ headers: { origin }, socket }, [])).toBe(expected)
})
