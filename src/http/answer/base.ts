import type { IncomingMessage } from 'node:http'

type Headers = IncomingMessage['headers']

/** The path prefix that a proxy cut off. A client that sends one shapes only its own answer. */
export function prefixOf(headers: Headers): string {
  const prefix = first(headers['x-forwarded-prefix']).replace(/\/$/, '')
  return prefix.length <= maxLength && path.test(prefix) ? prefix : ''
}

/** The address the service was asked at, such as `https://example.org/api`. */
export function baseOf(headers: Headers): string | undefined {
  const host = [first(headers['x-forwarded-host']), headers.host ?? ''].find(isAuthority)
  if (host === undefined) return undefined
  const protocol = first(headers['x-forwarded-proto']).toLowerCase()
  return `${protocol === 'https' ? 'https' : 'http'}://${host}${prefixOf(headers)}`
}

const maxLength = 256
/** Segments that need no escaping in HTML, YAML or JSON, none of them `.` or `..`. */
const path = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/
const authority = /^(?:[a-z\d](?:[\w.-]*[a-z\d])?\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i

const isAuthority = (host: string): boolean => host.length <= maxLength && authority.test(host)

/** Each proxy appends its own value, so the first is the outermost proxy's. */
const first = (header: string | string[] | undefined): string =>
  String(header ?? '')
    .split(',', 1)
    .join('')
    .trim()
