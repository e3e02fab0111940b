import type { Random } from '../../support/random.ts'
import { draftOf, toWire } from '../drafts.ts'
import type { Case } from '../wire.ts'
import type { World } from '../world.ts'

/** A valid request with headers that no client has use for. */
export function hostileHeaders(world: World, random: Random): Case | undefined {
  const caller = random.pick(world.callers.full)
  const operation = random.pick(world.withJson)
  const draft = draftOf(operation, caller, random)
  if (!draft) return undefined
  const wire = toWire(draft)
  const added = Array.from({ length: 1 + random.below(3) }, () => oddHeader(random))
  const names = added.map(([name]) => name.toLowerCase())
  const others = wire.headers.filter(([name]) => !names.includes(name.toLowerCase()))
  return {
    title: `header ${names.join()}`,
    caller,
    expected: 'anything',
    operation,
    wire: { ...wire, headers: [...others, ...added] },
  }
}

function oddHeader(random: Random): [string, string] {
  const [name, values] = random.pick(Object.entries(odd))
  return [name, random.pick([...values, ...anywhere])]
}

const anywhere = [
  '',
  'x',
  '\u00e9\u00ff',
  '"',
  ',,,,',
  '*',
  '__proto__',
  'x'.repeat(4_000),
  '\t',
  '%00',
  '-1',
]

const odd: Record<string, string[]> = {
  Accept: [
    '*/*',
    'text/html',
    'application/problem+json',
    'application/json;q=0, application/problem+json',
    'text/event-stream',
    'application/*;q=9',
    ';;;',
    'a/b'.repeat(500),
  ],
  'Accept-Encoding': ['gzip', 'br;q=1, gzip;q=0', 'identity;q=0', '*;q=0', 'deflate, zstd'],
  'Accept-Language': ['de'],
  'Accept-Charset': ['utf-16'],
  Authorization: ['Bearer', 'bearer x', 'Bearer  x', 'Basic Og==', 'Bearer x, Bearer y'],
  'Content-Encoding': ['gzip', 'br', 'identity', 'gzip, gzip'],
  'Content-Type': [
    'application/json',
    'application/json; charset=UTF-8',
    'application/json; charset=utf-16',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/json;;',
    'application/json; charset="utf-8',
  ],
  'If-Match': ['"1"', 'W/"1"', '"a", "b"', '1', '"', '"'.repeat(3)],
  'If-None-Match': ['"1"', 'W/"1"', '1'],
  'If-Modified-Since': ['Wed, 21 Oct 2015 07:28:00 GMT'],
  'If-Unmodified-Since': ['Wed, 21 Oct 2015 07:28:00 GMT', 'never'],
  'If-Range': ['"1"'],
  Range: ['bytes=0-0', 'bytes=9-1', 'bytes=0-,0-,0-'],
  'Idempotency-Key': ['a', 'x'.repeat(255), 'x'.repeat(256), 'a b'],
  'X-Forwarded-Host': ['evil.example', 'a b', '[::1]:1', 'evil.example:99999'],
  'X-Forwarded-Proto': ['https', 'javascript', 'https, http'],
  'X-Forwarded-For': ['127.0.0.1', '::1, x'],
  'X-Http-Method-Override': ['DELETE'],
  'X-Original-Url': ['/keys'],
  'X-Rewrite-Url': ['/keys'],
  'X-Request-Id': ['mine', 'x'.repeat(200)],
  Origin: ['http://evil.example', 'null', 'file://'],
  'Access-Control-Request-Method': ['DELETE'],
  Cookie: ['a=b; __proto__=1'],
  Forwarded: ['for=x;host=evil.example;proto=https'],
  Prefer: ['return=minimal'],
  'X-Forwarded-Prefix': ['/../x', 'a b', '//x', '/"><script>'],
  TE: ['trailers'],
  Via: ['1.0 x'],
  'User-Agent': ["() { :; }; echo 'x'"],
  'Last-Event-Id': ['1'],
  'Mcp-Session-Id': ['x'],
}
