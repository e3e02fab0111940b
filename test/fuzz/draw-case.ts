import { Random } from '../support/random.ts'
import { absent } from './families/absent.ts'
import { file } from './families/files.ts'
import { hostileBody } from './families/hostile-bodies.ts'
import { hostileHeaders } from './families/hostile-headers.ts'
import { hostilePath } from './families/hostile-paths.ts'
import { mcp } from './families/mcp.ts'
import { nearlyValid } from './families/nearly-valid.ts'
import { page } from './families/pages.ts'
import { raw } from './families/raw.ts'
import { refused } from './families/refused.ts'
import { repeated } from './families/repeated.ts'
import { valid } from './families/valid.ts'
import type { Case } from './wire.ts'
import type { World } from './world.ts'

type Family = (world: World, random: Random) => Case | undefined

/** Out of a hundred requests. */
const shares: [number, Family][] = [
  [34, valid],
  [18, nearlyValid],
  [8, absent],
  [5, refused],
  [8, hostileBody],
  [6, hostilePath],
  [6, hostileHeaders],
  [5, file],
  [4, raw],
  [3, mcp],
  [2, repeated],
  [1, page],
]
const families = shares.flatMap(([share, family]) => Array.from({ length: share }, () => family))

/** The request of that number; what it asks for hangs on what is there by then. */
export function drawCase(world: World, seed: number, index: number): Case {
  const random = new Random((seed + Math.imul(index + 1, 0x9e3779b1)) | 0)
  for (;;) {
    const one = random.pick(families)(world, random)
    if (one) return one
  }
}
