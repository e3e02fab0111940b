import type { QueryMode } from '../../generated/types.gen.ts'
import type { Datastore } from '../domain/datastores.ts'
import { embedFor, asksModel, questionFor } from '../domain/embedding.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import { orUndefined } from '../errors/errors.ts'
import { EmbeddingFailed } from '../errors/provider-errors.ts'
import { Deadline, orAborted } from '../process/deadline.ts'
import type { Fragments } from '../store/store.ts'
import type { FragmentTable, Found, SampledTerms } from '../store/types.ts'
import { unspaced } from '../text/words.ts'
import { queryTerms } from './query-terms.ts'
import type { Question } from './candidates.ts'
import { byVector, type Scored } from './ranking.ts'
import { SignalReader } from './text-signals.ts'

/** How a found fragment compares with what chance finds in its datastore. */
export type Standing = {
  /** How close together the query's words stand in it, 0 to 1. */
  near: number
  chance: number
  fragments: number
  /** Whether a model's vector of it is nearer to the query's than those that are found by chance. */
  isLike(): Promise<boolean>
}

type Query = (datastore: Datastore, question: Question, deadline: Deadline) => Promise<Scored[]>

export class Standings {
  readonly #fragments: Fragments
  readonly #embedder: Embedder
  readonly #query: Query
  readonly #chances = new Chances()

  constructor(fragments: Fragments, embedder: Embedder, query: Query) {
    this.#fragments = fragments
    this.#embedder = embedder
    this.#query = query
  }

  /** @throws NotFound when the datastore is deleted meanwhile */
  async of(
    found: Found,
    datastore: Datastore,
    question: Pick<Question, 'query' | 'mode'>,
    { signal }: Deadline,
  ): Promise<Standing> {
    const { query, mode } = questionFor(datastore, question, this.#embedder)
    const table = await this.#fragments.of(datastore.id)
    const sample = await table.termStatistics()
    const { near } = new SignalReader(queryTerms(query, sample).idfs).signalsOf(found)
    // Never started, so it never ends the measurement. Shared, so that all modes embed a question once.
    const inBackground = new Deadline(0, false)
    const chanceBy = (by: QueryMode) => this.#chanceOf(datastore, table, by, sample, inBackground)
    const { median: chance } = chanceBy(mode).last
    const standing = { near: Math.min(1, near), chance, fragments: sample.fragments }
    if (!asksModel(this.#embedder, mode)) return { ...standing, isLike: async () => false }
    const { measured } = chanceBy('vector')
    const isLike = async () => {
      const [vector] = await embedFor(datastore, this.#embedder, 'query', [query], signal)
      const [like] = byVector([found], vector!)
      const byChance = await orAborted(measured.catch(orUndefined(Error)), signal)
      return byChance !== undefined && like!.score > byChance.ninthDecile
    }
    return { ...standing, isLike }
  }

  #chanceOf(
    datastore: Datastore,
    table: FragmentTable,
    mode: QueryMode,
    sample: SampledTerms,
    inBackground: Deadline,
  ): Measured {
    return this.#chances.of(table, mode, sample, async (query) => {
      const question = { query, mode, topK: 1, filters: {}, distinct: false }
      const [best] = await this.#query(datastore, question, inBackground)
      return best?.score ?? 0
    })
  }
}

/** How much the scores that chance reaches rise if a datastore has e times as many fragments. */
const riseWithSize = 0.03

/** How much less a score is worth if a datastore has e times as many fragments. */
const discount = 0.2

/** What a score is worth beside those of other datastores. Among many fragments chance reaches a higher one. */
export const comparable = (score: number, fragments: number): number =>
  score / (1 + discount * Math.log(Math.max(1, fragments)))

/** The score by chance until it is measured. Few small datastores have less. */
const untilMeasured = 0.15
const fragmentsOfSmall = 100

/** The median of the scores that chance reaches, and the score that a tenth of them exceed. */
type Chance = { median: number; ninthDecile: number }
/** `last` is assumed until `measured` settles, at the end of the first measurement. */
type Measured = { of: SampledTerms; last: Chance; measured: Promise<Chance> }
type Ask = (query: string) => Promise<number>

/** The best scores of questions that make no sense, by table: they differ by language, document and model. */
class Chances {
  readonly #ofTables = new WeakMap<FragmentTable, Map<QueryMode, Measured>>()

  /** Returns the last measurement. Begins another if the sample of terms has changed. */
  of(table: FragmentTable, mode: QueryMode, sample: SampledTerms, ask: Ask): Measured {
    const ofTable = this.#ofTables.get(table) ?? new Map<QueryMode, Measured>()
    this.#ofTables.set(table, ofTable)
    const known = ofTable.get(mode)
    if (known?.of === sample) return known
    const last = known?.last ?? assumed(sample)
    const measuring = measure(sample, ask).then((chance) => chance ?? last)
    const begun = { of: sample, last, measured: known?.measured ?? measuring }
    ofTable.set(mode, begun)
    void measuring.then(
      (chance) => ofTable.set(mode, { of: sample, last: chance, measured: measuring }),
      // The next question tries again.
      () => ofTable.delete(mode),
    )
    return begun
  }
}

function assumed({ fragments }: SampledTerms): Chance {
  const score = untilMeasured + riseWithSize * Math.log(Math.max(1, fragments / fragmentsOfSmall))
  return { median: score, ninthDecile: score }
}

/** How many questions a model may fail at: some give no vector for some texts, each time. */
const maxFailures = 6

async function measure({ draws }: SampledTerms, ask: Ask): Promise<Chance | undefined> {
  const scores: number[] = []
  let failures = 0
  const orLeftOut = (error: unknown): undefined => {
    failures += 1
    if (failures > maxFailures || !(error instanceof EmbeddingFailed)) throw error
  }
  for (const terms of draws) {
    const score = terms.length > 0 ? await ask(questionOf(terms)).catch(orLeftOut) : undefined
    if (score !== undefined) scores.push(score)
  }
  const sorted = scores.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * sorted.length)]!
  return sorted.length > 0 ? { median: at(0.5), ninthDecile: at(0.9) } : undefined
}

const isUnspaced = new RegExp(`^[${unspaced}]`, 'v')

const questionOf = (terms: readonly string[]): string =>
  terms.join(terms.every((term) => isUnspaced.test(term)) ? '' : ' ')
