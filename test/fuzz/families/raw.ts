import type { Random } from '../../support/random.ts'
import { draftOf, toWire } from '../drafts.ts'
import { bytesOf, type Case } from '../wire.ts'
import type { World } from '../world.ts'

/** A valid request whose bytes no client would send; the connection is closed behind it. */
export function raw(world: World, random: Random): Case | undefined {
  const caller = random.pick(world.callers.full)
  const operation = random.pick(world.withJson)
  const draft = draftOf(operation, caller, random)
  // What is sent twice or cut is not deleted for certain.
  if (!draft || operation.method === 'DELETE') return undefined
  const bytes = bytesOf({ title: '', caller, expected: 'valid', operation, wire: toWire(draft) })
  const [title, change] = random.pick(Object.entries(changes))
  const changed = Buffer.from(change(bytes.toString('latin1'), random), 'latin1')
  return { title: `raw ${title}`, caller, expected: 'anything', operation, bytes: changed }
}

type Change = (text: string, random: Random) => string

const withHeader = (text: string, header: string): string =>
  text.replace('\r\n', `\r\n${header}\r\n`)
const headOf = (text: string): string => text.slice(0, text.indexOf('\r\n\r\n') + 4)
const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4)
const withoutLength = (text: string): string => headOf(text).replace(/Content-Length: \d+\r\n/, '')

function chunked(
  text: string,
  random: Random,
  size = (length: number) => length.toString(16),
): string {
  const body = bodyOf(text)
  const at = random.below(body.length + 1)
  const chunks = [body.slice(0, at), body.slice(at)].filter((one) => one !== '')
  const written = chunks.map((one) => `${size(one.length)}\r\n${one}\r\n`).join('')
  return `${withHeader(withoutLength(text), 'Transfer-Encoding: chunked')}${written}0\r\n\r\n`
}

const changes: Record<string, Change> = {
  chunks: (text, random) => chunked(text, random),
  'chunks of a wrong size': (text, random) =>
    chunked(text, random, (length) =>
      random.pick([(length + 5).toString(16), '-1', 'zz', '', 'ffffffffffffffff', '0x5']),
    ),
  'chunks with extensions and trailers': (text, random) =>
    chunked(
      text,
      random,
      (length) => `${length.toString(16)};a="${'x'.repeat(random.below(5_000))}"`,
    ).replace(/\r\n$/, 'X-Trailer: 1\r\n\r\n'),
  'chunks and a length': (text, random) =>
    withHeader(chunked(text, random), `Content-Length: ${random.below(100)}`),
  'a length too long': (text) =>
    `${withHeader(withoutLength(text), 'Content-Length: 999999')}${bodyOf(text)}`,
  'a length too short': (text) =>
    `${withHeader(withoutLength(text), 'Content-Length: 1')}${bodyOf(text)}`,
  'a length that is none': (text, random) =>
    `${withHeader(withoutLength(text), `Content-Length: ${random.pick(['-1', '1e3', '0x10', '+5', '5, 5', '99999999999999999999', ''])}`)}${bodyOf(text)}`,
  'two lengths': (text) => withHeader(text, 'Content-Length: 3'),
  'no body where one is announced': (text) => headOf(text),
  'an encoding of the transfer that is none': (text, random) =>
    withHeader(
      text,
      `Transfer-Encoding: ${random.pick(['gzip', 'chunked, gzip', 'x', 'identity', 'chunked, chunked', '\u000bchunked'])}`,
    ),
  Expect: (text, random) =>
    withHeader(
      text,
      `Expect: ${random.pick(['100-continue', '100-Continue, x', 'x', '200-ok', ''])}`,
    ),
  'pipelined twice': (text) => text + text,
  'pipelined with nonsense': (text) => `${text}nonsense\r\n\r\n`,
  'a header injected': (text) => withHeader(text, 'X-A: b\rX-B: c\nX-C: d'),
  'a header without a name': (text) => withHeader(text, ': x'),
  'a header with a blank before the colon': (text) => withHeader(text, 'Content-Length : 5'),
  'a folded header': (text) => withHeader(text, 'X-A: b\r\n  c'),
  'NUL in a header': (text) => withHeader(text, 'X-A: a\u0000b'),
  'many headers': (text) =>
    withHeader(text, Array.from({ length: 3_000 }, (_, at) => `a${at}: 1`).join('\r\n')),
  'a long header': (text) => withHeader(text, `X-Long: ${'x'.repeat(40_000)}`),
  'two of a header': (text, random) =>
    withHeader(
      text,
      random.pick([
        'Authorization: Bearer x',
        'Content-Type: text/plain',
        'Host: evil.example',
        'If-Match: "x"',
        'Idempotency-Key: x',
      ]),
    ),
  'no Host': (text) => text.replace('Host: localhost\r\n', ''),
  'a Host that is none': (text, random) =>
    text.replace(
      'Host: localhost',
      `Host: ${random.pick(['', 'a b', '"', 'x:y', '[', '\u00e9', 'x'.repeat(300)])}`,
    ),
  'another version': (text, random) =>
    text.replace(
      'HTTP/1.1',
      random.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.9', 'HTTP', 'http/1.1', '']),
    ),
  'another target': (text, random) =>
    text.replace(
      / \/[^ ]* /,
      ` ${random.pick(['*', 'http://x/agents', 'http://[/agents', 'ftp://x/y', 'agents', '/agents#x', '/a b', '/\u00e9', '//evil.example/agents', `/${'x'.repeat(40_000)}`, 'http://user:pw@x/agents'])} `,
    ),
  'another method': (text, random) =>
    text.replace(
      /^\w+/,
      random.pick(['CONNECT', 'get', 'BREW', '', 'PRI', 'M-SEARCH', 'X'.repeat(100)]),
    ),
  Upgrade: (text) =>
    withHeader(
      text,
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
    ),
  'a websocket': (text) =>
    withHeader(
      text,
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ),
  'bare line feeds': (text) => headOf(text).replaceAll('\r\n', '\n') + bodyOf(text),
  'cut short': (text, random) => text.slice(0, random.below(text.length)),
  'one byte changed': (text, random) => {
    const at = random.below(text.length)
    return text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + 1)
  },
  'other protocols': (_, random) =>
    random.pick([
      '\u0016\u0003\u0001\u0002\u0000',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'EHLO x\r\n',
      '\0\0\0\0',
      'GET\r\n\r\n',
    ]),
}
