import type { IncomingMessage } from 'node:http'

/** Where the service was asked: what the links of an answer begin with. */
type Headers = IncomingMessage['headers']

/**
 * The path in front of the service's own, as a proxy that cuts it off says in `X-Forwarded-Prefix`,
 * without a slash at its end; empty where there is none or it is no path.
 * It shapes only the answer to the one who sent it, so nobody needs to be trusted.
 */
export function prefixOf(headers: Headers): string {
  const prefix = first(headers['x-forwarded-prefix']).replace(/\/$/, '')
  return prefix.length <= longest && path.test(prefix) ? prefix : ''
}

/** The address the service was asked at, such as `https://example.org/api`; undefined where no header says it. */
export function baseOf(headers: Headers): string | undefined {
  const host = [first(headers['x-forwarded-host']), headers.host ?? ''].find(isAuthority)
  if (host === undefined) return undefined
  const protocol = first(headers['x-forwarded-proto']).toLowerCase()
  return `${protocol === 'https' ? 'https' : 'http'}://${host}${prefixOf(headers)}`
}

const longest = 256
/** Segments of characters that mean nothing in HTML, YAML or JSON; none of them climbs. */
const path = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/
const authority = /^(?:[a-z\d](?:[\w.-]*[a-z\d])?\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i

const isAuthority = (host: string): boolean => host.length <= longest && authority.test(host)

/** Each proxy adds its own value; the first is that of the outermost. */
const first = (header: string | string[] | undefined): string =>
  String(header ?? '')
    .split(',', 1)
    .join('')
    .trim()
