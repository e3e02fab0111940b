import type { Random } from '../../support/random.ts'
import { operationFor } from '../../support/contract.ts'
import { draftOf, toWire } from '../drafts.ts'
import { type Case, pathOfTarget, type Wire } from '../wire.ts'
import type { World } from '../world.ts'

/** A request whose method, path or query is of another shape. */
export function hostilePath(world: World, random: Random): Case | undefined {
  const caller = random.pick(world.callers.full)
  const draft = draftOf(random.pick(world.withJson), caller, random)
  if (!draft) return undefined
  const [title, change] = random.pick(Object.entries(changes))
  const wire = change(toWire(draft), random)
  const operation = operationFor(wire.method, pathOfTarget(wire.target))
  return { title, caller, expected: 'anything', ...(operation && { operation }), wire }
}

type Change = (wire: Wire, random: Random) => Wire

const odd = [
  '%2e%2e',
  '%2e',
  '%2F',
  '%5c',
  '%00',
  '%',
  '%zz',
  '%ff',
  '%c0%ae',
  ';a=b',
  '*',
  '%EF%BB%BF',
  '%f0%9f%98%80',
  '{id}',
  ':id',
  '(',
  '$where',
  'x'.repeat(129),
  'x'.repeat(5_000),
]

const withSegment = (target: string, random: Random, segment: string): string => {
  const [path = '', ...query] = target.split('?')
  const segments = path.split('/')
  segments[1 + random.below(segments.length - 1)] = segment
  return [segments.join('/'), ...query].join('?')
}

const withQuery = (target: string, query: string): string =>
  target + (target.includes('?') ? '&' : '?') + query

const changes: Record<string, Change> = {
  'another method': (wire, random) => ({
    ...wire,
    method: random.pick([
      'GET',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'QUERY',
      'PURGE',
    ]),
  }),
  HEAD: ({ target, headers }) => ({ method: 'HEAD', target, headers }),
  'a body with GET': ({ target, headers }) => ({
    method: 'GET',
    target,
    headers,
    body: Buffer.from('{"a":1}'),
  }),
  'a slash at the end': (wire) => ({ ...wire, target: wire.target.replace(/(\?|$)/, '/$1') }),
  'two slashes': (wire, random) => ({
    ...wire,
    target: random.pick(['/', '//', '///x/']) + wire.target,
  }),
  'an odd segment': (wire, random) => ({
    ...wire,
    target: withSegment(wire.target, random, random.pick(odd)),
  }),
  'an odd part of a segment': (wire, random) => ({
    ...wire,
    target: wire.target.replace(/(\?|$)/, () => random.pick(odd)),
  }),
  'a segment less': (wire) => ({
    ...wire,
    target: wire.target.replace(/\/[^/?]*(\?|$)/, '$1').replace(/^(?!\/)/, '/'),
  }),
  'a segment more': (wire, random) => ({
    ...wire,
    target: wire.target.replace(
      /(\?|$)/,
      `/${random.pick(['mcp', 'x', 'query', 'files', '..', '.'])}$1`,
    ),
  }),
  'other case': (wire) => ({ ...wire, target: wire.target.toUpperCase() }),
  dots: (wire, random) => ({
    ...wire,
    target: random.pick([
      '/health/../agents',
      '/./agents',
      '/agents/..',
      '/docs/../../etc/passwd',
      '/assets/..%2f..%2fpackage.json',
      '/..%2f..%2fetc%2fpasswd',
    ]),
  }),
  'prototype names': (wire, random) => ({
    ...wire,
    target: withSegment(
      wire.target,
      random,
      random.pick(['__proto__', 'constructor', 'toString', 'hasOwnProperty']),
    ),
  }),
  'a query of anything': (wire, random) => ({
    ...wire,
    target: withQuery(
      wire.target,
      random.pick([
        '&&&',
        '=',
        '%',
        '%zz=%ff',
        'a[b][c]=1',
        'limit=1&limit=2',
        'cursor=x',
        'cursor=eyJhIjoxfQ',
        'cursor=AAAA',
        'filter={',
        'filter=%7B%7D',
        'filter=[]',
        'limit=0x10',
        'limit=1e1',
        'limit=%20',
        'visitorId=',
        'source=%00',
        '?',
        '__proto__=1',
        `a=${'x'.repeat(20_000)}`,
        'a&'.repeat(5_000),
      ]),
    ),
  }),
  'a wild cursor': (wire, random) => ({
    ...wire,
    method: 'GET',
    target: `${random.pick(['/agents', '/datastores', '/keys'])}?cursor=${Buffer.from(random.pick(['{}', '[]', 'null', '["a","b"]', '["2026-11-26T00:00:00.000Z","x"]', '[1e999,"\'"]', '\u0000'])).toString('base64url')}`,
    headers: wire.headers.filter(([name]) => name !== 'Content-Type'),
  }),
}
