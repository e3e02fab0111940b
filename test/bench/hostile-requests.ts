import type { Target } from './hostile-target.ts'

/** A kind of hostile request: the bytes of one, how many are sent one after the other, and the answer. */
export type Kind = {
  name: string
  count: number
  status?: number
  bytes: (target: Target) => Buffer
}

const mebibyte = 1024 * 1024
const longestHeader = 30_000

const filled = (text: string, length: number): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length)
const names = Array.from({ length: 8_000 }, (_, index) => index.toString(36)).join('&')

function request(line: string, headers: string[], body?: string): Buffer {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const head = [`${line} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, ...length, '', '']
  return Buffer.from(head.join('\r\n') + (body ?? ''))
}

const withKey = ({ key }: Target): string => `Authorization: Bearer ${key}`
const json = 'Content-Type: application/json'

const head = (name: string, line: string, ...headers: string[]): Kind => ({
  name,
  count: 20,
  bytes: () => request(line, headers),
})

const query = (name: string, body: string): Kind => ({
  name: `query of ${name}`,
  count: 2,
  bytes: (target) =>
    request(`POST /datastores/${target.datastoreId}/query`, [withKey(target), json], body),
})

const upsert = (name: string, text: string): Kind => ({
  name: `upsert of ${name}`,
  count: 1,
  status: 200,
  bytes: (target) => {
    const most = Math.floor((15.5 * mebibyte) / Buffer.byteLength(JSON.stringify(text)))
    const documents = Array.from({ length: Math.min(15, most) }, (_, index) => ({
      text: `${index} ${text.slice(0, -10)}`,
    }))
    const headers = [withKey(target), json, `Idempotency-Key: ${name.replaceAll(' ', '-')}`]
    const line = `POST /api/datastores/upsert/${target.datastoreId}`
    return request(line, headers, JSON.stringify({ documents }))
  },
})

const letters = 'abcdefghijklmnopqrstuvwxyz'
/** The same in every run. */
function varied(length: number, first: number, count: number): string {
  let seed = 1
  const codes = Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return first + (seed % count)
  })
  return codes.map((code) => String.fromCharCode(code)).join('')
}

export const kinds: Kind[] = [
  head('an honest 401', 'GET /agents'),
  head('8,000 parameters, health', `GET /health/live?${names}`),
  head('8,000 parameters, no key', `POST /keys?${names}`),
  head('an Accept of 30,000', 'GET /agents', `Accept: ${filled('a/b,', longestHeader)}`),
  {
    name: 'a Content-Type of 30,000',
    count: 4,
    bytes: (target) => {
      const type = `${json}${filled(' ', longestHeader)}x`
      return request('POST /agents', [withKey(target), type], '{}')
    },
  },
  {
    name: 'expiresAt with 15 MiB of blanks',
    count: 2,
    bytes: (target) => {
      const expiresAt = `2099-12-31T23:59:59Z${filled(' ', 15 * mebibyte)}`
      const body = JSON.stringify({ name: 'x', scopes: ['agents:read'], expiresAt })
      return request('POST /keys', [withKey(target), json], body)
    },
  },
  query('16 MiB of [', filled('[', 16 * mebibyte)),
  query('8 million levels', '['.repeat(8_000_000) + ']'.repeat(8_000_000)),
  query(
    '1.5 million members',
    `{${Array.from({ length: 1_500_000 }, (_, n) => `"${n}":1`).join()}}`,
  ),
  upsert('15 MiB of words', filled('The river runs by granite and copper. ', mebibyte)),
  upsert('15 MiB of one letter', filled('a', mebibyte)),
  upsert('15 MiB without a space', varied(mebibyte, letters.charCodeAt(0), letters.length)),
  upsert('15 MiB of combining marks', `e${filled('\u0301', mebibyte)}`),
  upsert('15 MiB of Chinese', varied(mebibyte, 0x4e00, 20_000)),
  upsert('15 MiB of joined emoji', filled('👨‍👩‍👧‍👦', mebibyte)),
  upsert('15 MiB of line feeds', `${filled('\n', mebibyte)}x`),
]
