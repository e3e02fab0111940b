import type { QueryMode } from '../../generated/types.gen.ts'
import type { FragmentTable } from '../store/fragments/fragment-table.ts'
import type { SampledTerms } from '../store/search/term-sample.ts'
import { unspaced } from '../text/words.ts'

/** As high as it is in many datastores; few fragments reach less. */
const untilMeasured = 0.3
const untilMeasuredInFew = 0.2
const few = 100

type Measured = { of: SampledTerms; score: number }
/** The best score of a query. */
type Ask = (query: string) => Promise<number>

/**
 * The score that a question reaches by chance: the median of the best scores of questions that make no sense,
 * whose words are each of another fragment. It differs by language and by kind of document.
 */
export class Chances {
  readonly #ofTables = new WeakMap<FragmentTable, Map<QueryMode, Measured>>()

  /** What is known by now. What the sample of terms is too new for is measured meanwhile. */
  of(table: FragmentTable, mode: QueryMode, sample: SampledTerms, ask: Ask): number {
    const ofTable = this.#ofTables.get(table) ?? new Map<QueryMode, Measured>()
    this.#ofTables.set(table, ofTable)
    const known = ofTable.get(mode)
    if (known?.of === sample) return known.score
    const score = known?.score ?? assumed(sample)
    ofTable.set(mode, { of: sample, score })
    void measure(sample, ask).then(
      (median) => ofTable.set(mode, { of: sample, score: median ?? score }),
      // The next question tries again.
      () => ofTable.delete(mode),
    )
    return score
  }
}

const assumed = ({ fragments }: SampledTerms): number =>
  fragments < few ? untilMeasuredInFew : untilMeasured

async function measure({ draws }: SampledTerms, ask: Ask): Promise<number | undefined> {
  const scores: number[] = []
  for (const terms of draws) if (terms.length > 0) scores.push(await ask(questionOf(terms)))
  return scores.toSorted((a, b) => a - b)[Math.floor(scores.length / 2)]
}

const isUnspaced = new RegExp(`^[${unspaced}]`, 'v')

const questionOf = (terms: readonly string[]): string =>
  terms.join(terms.every((term) => isUnspaced.test(term)) ? '' : ' ')
