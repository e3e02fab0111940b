import type { Client } from '../../generated/client/index.ts'
import type { Random } from '../support/random.ts'
import { upsert } from '../support/things.ts'
import { type Sample, textOf, vectorsOf } from './brute-force.ts'

const mostAtOnce = 500
const customers = 10

/** Stores so many short texts of some customers. */
export async function storeSamples(
  client: Client,
  datastoreId: string,
  count: number,
  random: Random,
): Promise<Sample[]> {
  const samples: Sample[] = []
  while (samples.length < count) {
    const some = Array.from({ length: Math.min(mostAtOnce, count - samples.length) }, () => ({
      text: textOf(random),
      metadata: { custom_id: `customer ${random.below(customers)}` },
    }))
    const ids = await upsert(client, datastoreId, ...some)
    const vectors = await vectorsOf(some.map(({ text }) => text))
    samples.push(
      ...some.map(({ text, metadata }, index) => ({
        id: ids[index]!,
        text,
        customId: metadata.custom_id,
        vector: vectors[index]!,
      })),
    )
  }
  return samples
}
