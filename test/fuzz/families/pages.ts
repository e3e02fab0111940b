import type { Random } from '../../support/random.ts'
import type { Case } from '../wire.ts'
import type { World } from '../world.ts'

const targets = [
  '/',
  '/docs',
  '/problems',
  '/openapi.json',
  '/openapi.yaml',
  '/playground',
  '/changes',
  '/document',
  '/favicon.ico',
  '/assets',
  '/mcp',
]
const headers: [string, string][] = [
  ['Accept-Encoding', 'br'],
  ['Accept-Encoding', 'gzip;q=0, *'],
  ['If-None-Match', '*'],
  ['X-Forwarded-Host', 'evil.example"><script>'],
  ['X-Forwarded-Prefix', '/"><script>'],
  ['X-Forwarded-Proto', 'javascript'],
  ['Range', 'bytes=0-0'],
  ['Origin', 'http://evil.example'],
]

/** What is served beside the contract. */
export function page(world: World, random: Random): Case {
  const method = random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS'])
  const target =
    random.pick(targets) + (random.chance(0.2) ? random.pick(['?a=b', '/', '%00', '/..']) : '')
  const wire = { method, target, headers: [random.pick(headers)] }
  return { title: `page ${target}`, caller: world.callers.unknown[0]!, expected: 'anything', wire }
}
