import type { Figure } from './figures.ts'
import type { Side } from './side.ts'
import { measureSpeeds } from './speeds.ts'

const mostTimes = 3

/** What a query of one client takes in a small datastore and in a large one, in turns. */
export async function measureSizes(small: Side, large: Side, rounds: number): Promise<Figure[]> {
  const alone = [small, large].map((side) => ({ ...side, clients: [1] }))
  const [quick, slow] = await measureSpeeds(alone, rounds)
  return [
    { name: 'p50 ms, small datastore', value: quick!.speed.p50 },
    { name: 'p50 ms, large datastore', value: slow!.speed.p50 },
    {
      name: 'large / small',
      value: slow!.speed.p50 / quick!.speed.p50,
      digits: 2,
      atMost: mostTimes,
    },
  ]
}
