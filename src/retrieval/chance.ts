import type { QueryMode } from '../../generated/types.gen.ts'
import type { FragmentTable, SampledTerms } from '../store/types.ts'
import { unspaced } from '../text/words.ts'
import { riseWithSize } from './across-datastores.ts'

/** Assumed until it is measured. Few small datastores have less. */
const untilMeasured = 0.15
const few = 100

/** Of the scores that are reached by chance the one in the middle, and one that a tenth exceed. */
export type Chance = { median: number; ninthDecile: number }
type Measured = { of: SampledTerms; chance: Chance }
type Ask = (query: string) => Promise<number>

/**
 * What a question reaches by chance: the best scores of questions that make no sense, whose words are each of
 * another fragment. It differs by language, by kind of document and by embedding model.
 */
export class Chances {
  readonly #ofTables = new WeakMap<FragmentTable, Map<QueryMode, Measured>>()

  /** Returns the last measurement. Begins another if the sample of terms has changed. */
  of(table: FragmentTable, mode: QueryMode, sample: SampledTerms, ask: Ask): Chance {
    const ofTable = this.#ofTables.get(table) ?? new Map<QueryMode, Measured>()
    this.#ofTables.set(table, ofTable)
    const known = ofTable.get(mode)
    if (known?.of === sample) return known.chance
    const chance = known?.chance ?? assumed(sample)
    ofTable.set(mode, { of: sample, chance })
    void measure(sample, ask).then(
      (measured) => ofTable.set(mode, { of: sample, chance: measured ?? chance }),
      // The next question tries again.
      () => ofTable.delete(mode),
    )
    return chance
  }
}

function assumed({ fragments }: SampledTerms): Chance {
  const score = untilMeasured + riseWithSize * Math.log(Math.max(1, fragments / few))
  return { median: score, ninthDecile: score }
}

async function measure({ draws }: SampledTerms, ask: Ask): Promise<Chance | undefined> {
  const scores: number[] = []
  for (const terms of draws) if (terms.length > 0) scores.push(await ask(questionOf(terms)))
  const sorted = scores.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * sorted.length)]!
  return sorted.length > 0 ? { median: at(0.5), ninthDecile: at(0.9) } : undefined
}

const isUnspaced = new RegExp(`^[${unspaced}]`, 'v')

const questionOf = (terms: readonly string[]): string =>
  terms.join(terms.every((term) => isUnspaced.test(term)) ? '' : ' ')
