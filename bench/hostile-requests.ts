import { headers, newDatastore, type Service, upsertPath } from './service.ts'

export type Sent = {
  path: string
  method?: string
  headers: Record<string, string>
  body?: Buffer<ArrayBuffer>
}

/** A kind of hostile request: how many are sent one after the other, and what it needs before. */
export type Kind = { name: string; count: number; make: (service: Service) => Promise<Sent> }

export const mebibyte = 1024 * 1024
export const filled = (text: string, length: number): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length)

/** A request without a key, which is to be refused before it costs anything. */
const stranger = (name: string, path: string, more: Record<string, string> = {}): Kind => ({
  name,
  count: 20,
  make: async () => ({ path, headers: more }),
})

export const post = (
  name: string,
  body: string,
  pathOf: (id: string) => string,
  more = {},
): Kind => ({
  name,
  count: 2,
  make: async (service) => ({
    path: pathOf(await newDatastore(service)),
    headers: { ...headers, ...more },
    body: Buffer.from(body),
  }),
})

const query = (name: string, body: string): Kind =>
  post(`query of ${name}`, body, (id) => `/datastores/${id}/query`)

/** As many documents of a MiB as fit into an upsert. */
function upsert(name: string, text: string): Kind {
  const fitting = Math.floor((15.5 * mebibyte) / Buffer.byteLength(JSON.stringify(text)))
  const documents = Array.from({ length: Math.min(15, fitting) }, (_, place) => ({
    text: `${place} ${text.slice(0, -10)}`,
  }))
  const body = JSON.stringify({ documents })
  return { ...post(`upsert of ${name}`, body, upsertPath), count: 1 }
}

/** Characters from the first on, of so many different ones, the same in every run. */
function varied(first: string, different: number): string {
  let seed = 1
  const characters = Array.from({ length: mebibyte }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return String.fromCharCode(first.charCodeAt(0) + (seed % different))
  })
  return characters.join('')
}

const names = Array.from({ length: 1_500_000 }, (_, place) => place.toString(36))
const parameters = names.slice(0, 8_000).join('&')
const expiresAt = `2099-12-31T23:59:59Z${filled(' ', 15 * mebibyte)}`
const key = JSON.stringify({ name: 'x', scopes: ['agents:read'], expiresAt })
const longType = { 'Content-Type': `application/json${filled(' ', 30_000)}x` }

export const wildKinds: Kind[] = [
  stranger('an honest 401', '/agents'),
  stranger('8,000 parameters, health', `/health/live?${parameters}`),
  stranger('8,000 parameters, no key', `/keys?${parameters}`),
  stranger('an Accept of 30,000', '/agents', { Accept: filled('a/b,', 30_000) }),
  post('a Content-Type of 30,000', '{}', () => '/agents', longType),
  post('expiresAt with 15 MiB of blanks', key, () => '/keys'),
  query('16 MiB of [', filled('[', 16 * mebibyte)),
  query('8 million levels', '['.repeat(8_000_000) + ']'.repeat(8_000_000)),
  query('1.5 million members', `{${names.map((name) => `"${name}":1`).join()}}`),
  upsert('15 MiB of words', filled('The river runs by granite and copper. ', mebibyte)),
  upsert('15 MiB of one letter', filled('a', mebibyte)),
  upsert('15 MiB without a space', varied('a', 26)),
  upsert('15 MiB of combining marks', `e${filled('\u0301', mebibyte)}`),
  upsert('15 MiB of Chinese', varied('\u4e00', 20_000)),
  upsert('15 MiB of joined emoji', filled('👨‍👩‍👧‍👦', mebibyte)),
  upsert('15 MiB of line feeds', `${filled('\n', mebibyte)}x`),
]
