import type { Json } from '../support/contract.ts'
import { type Draw, phrase } from './texts.ts'

const names = ['lang', 'published', 'source_url', 'source', 'url', 'tags', 'author', 'page']
const oddNames = [
  '',
  '/',
  '~',
  'a/b~c',
  '__proto__',
  'constructor',
  'toString',
  '鍵',
  'nul\u0000',
  ' ',
]

/** The members of an object that may hold anything; few and short, far from every limit. */
export function metadataOf(draw: Draw): [string, Json][] {
  const { random } = draw
  return Array.from({ length: random.below(4) }, () => [
    random.pick(random.chance(0.8) ? names : oddNames),
    jsonOf(draw, 0),
  ])
}

/** Any JSON, at most three levels deep. */
export function jsonOf(draw: Draw, level: number): Json {
  const { random } = draw
  const scalars: Json[] = [
    null,
    true,
    0,
    -1.5,
    1e21,
    5e-324,
    42,
    'de',
    '2026-11-21',
    'https://library.example/hours',
    phrase(draw),
  ]
  if (level > 1 || random.chance(0.7)) return random.pick(scalars)
  const children = Array.from({ length: random.below(4) }, () => jsonOf(draw, level + 1))
  if (random.chance(0.5)) return children
  return Object.fromEntries(
    children.map((child) => [random.pick(random.chance(0.8) ? names : oddNames), child]),
  )
}
