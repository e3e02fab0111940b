import type { QueryMode } from '../../generated/types.gen.ts'
import type { Deadline } from '../process/deadline.ts'
import type { Datastore } from '../domain/datastores.ts'
import { wholeText } from '../domain/documents.ts'
import { asksModel, embedFor, isEmbeddedBy, questionFor } from '../domain/embedding.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import { NotFound, orUndefined } from '../errors/errors.ts'
import { FairSemaphore, nextTurn } from '../process/fair-shares.ts'
import { searching, TimeSlice } from '../process/time-slice.ts'
import { bestFirst, type Fragments } from '../store/store.ts'
import type { DatasourceInfo, TermStatistics, Found } from '../store/types.ts'
import { TableHeads } from '../text/splitting/table-heads.ts'
import { mayBeginWithRows } from '../text/table-lines.ts'
import { Candidates, type Question } from './candidates.ts'
import { firstOfEach } from './copies.ts'
import { queryTerms } from './query-terms.ts'
import { byBoth, byVector, byWords, type Scored } from './ranking.ts'
import { Standings } from './standing.ts'
import { analyseAll } from './text-signals.ts'

/** As many as fill the running batches of a table and the next ones. */
const maxSearches = 128

/** The head of a table that continues in a fragment, with its offset in the text of the datasource. */
export type TableHead = { text: string; start: number }

const knownHeads = new WeakMap<Found, TableHead | undefined>()

export class Retrieval {
  readonly #fragments: Fragments
  readonly #embedder: Embedder
  readonly #searches = new FairSemaphore(maxSearches)
  readonly standings: Standings

  constructor(fragments: Fragments, embedder: Embedder) {
    this.#fragments = fragments
    this.#embedder = embedder
    this.standings = new Standings(fragments, embedder, (...asked) => this.query(...asked))
  }

  /**
   * The most similar fragments that the filters match, best first. Only by vector may one score 0 or less.
   * @throws NotFound, and except by keyword EmbeddingModelMismatch, EmbeddingFailed, EmbeddingTimeout
   */
  async query(datastore: Datastore, question: Question, deadline: Deadline): Promise<Scored[]> {
    const { topK, mode, minScore = -1 } = question
    const scored = await this.#scored(datastore, question, deadline)
    return firstOfEach(bestFirst(scored), question.perDatasource)
      .slice(0, topK)
      .filter(({ score }) => score >= minScore && (score > 0 || mode === 'vector'))
  }

  /** How common tokens are in a datastore. @throws NotFound when it is deleted meanwhile */
  async statistics(datastore: Datastore): Promise<TermStatistics> {
    return (await this.#fragments.of(datastore.id)).termStatistics()
  }

  /** The heads of tables that continue in fragments. Reads a datasource once, if a fragment begins like a row. */
  async tableHeads(
    datastoreId: string,
    fragments: readonly Found[],
  ): Promise<(found: Found) => TableHead | undefined> {
    const slice = new TimeSlice()
    const unknown = fragments.filter(
      (found) => !knownHeads.has(found) && found.offset > 0 && mayBeginWithRows(found.text),
    )
    for (const [id, found] of Map.groupBy(unknown, ({ datasourceId }) => datasourceId)) {
      const whole = await this.#textOf(datastoreId, id)
      if (whole === undefined) continue
      const heads = new TableHeads(whole)
      for (const one of found.toSorted((a, b) => a.offset - b.offset)) {
        // The datasource may have another text by now.
        const span = whole.startsWith(one.text, one.offset) ? heads.at(one.offset) : undefined
        knownHeads.set(one, span && { text: whole.slice(span.start, span.end), start: span.start })
        await slice.pause()
      }
    }
    return (found) => knownHeads.get(found)
  }

  /** Undefined if the datasource is deleted. */
  async #textOf(datastoreId: string, datasourceId: string): Promise<string | undefined> {
    const read = this.#fragments.of(datastoreId).then((table) => table.read(datasourceId))
    const document = await read.catch(orUndefined(NotFound))
    return document && wholeText(document.pieces)
  }

  /** Datasources without their texts, by id. Empty if the datastore is deleted. */
  async infos(datastoreId: string, ids: string[]): Promise<Map<string, DatasourceInfo>> {
    const infos = this.#fragments.of(datastoreId).then((table) => table.infos(ids))
    return (await infos.catch(orUndefined(NotFound))) ?? new Map()
  }

  questionFor<Asked extends { mode: QueryMode }>(datastore: Datastore, question: Asked): Asked {
    return questionFor(datastore, question, this.#embedder)
  }

  /** Embeds the query by a provider, for all searches of the same request. @throws as `query` */
  async prepare(
    datastores: Datastore[],
    { query, mode }: Pick<Question, 'query' | 'mode'>,
    { signal }: Deadline,
  ): Promise<void> {
    if (!asksModel(this.#embedder, mode)) return
    const embedded = datastores.filter(({ value }) => isEmbeddedBy(value, this.#embedder))
    await Promise.all(
      embedded.map((one) => embedFor(one, this.#embedder, 'query', [query], signal)),
    )
  }

  /** As `query`, with each datasource's info, read at the same moment as its fragments. */
  async queryWithInfos(
    datastore: Datastore,
    question: Question,
    deadline: Deadline,
  ): Promise<{ scored: Scored[]; infos: Map<string, DatasourceInfo> }> {
    const table = await this.#fragments.of(datastore.id)
    for (;;) {
      const scored = await this.query(datastore, question, deadline)
      const infos = await table.infos([...new Set(scored.map(({ found }) => found.datasourceId))])
      const areConsistent = scored.every(
        ({ found }) => infos.get(found.datasourceId)?.updatedAt === found.updatedAt,
      )
      if (areConsistent) return { scored, infos }
      deadline.signal.throwIfAborted()
    }
  }

  async #scored(datastore: Datastore, question: Question, deadline: Deadline): Promise<Scored[]> {
    const { query, mode } = question
    // A slow provider is awaited before, and searches by keyword do not need it.
    const [vector] =
      mode === 'keyword'
        ? []
        : await embedFor(datastore, this.#embedder, 'query', [query], deadline.signal)
    return this.#searches.run(datastore.workspace, () => {
      deadline.signal.throwIfAborted()
      return searching(() => this.#search(datastore, question, vector, deadline))
    })
  }

  async #search(
    datastore: Datastore,
    question: Question,
    vector: Float32Array | undefined,
    deadline: Deadline,
  ): Promise<Scored[]> {
    const { query, mode } = question
    const { isModel } = this.#embedder
    const table = await this.#fragments.of(datastore.id)
    const candidates = new Candidates(table, question, deadline)
    if (vector && mode === 'vector') return byVector(await candidates.byVector(vector), vector)
    const slice = new TimeSlice()
    const statistics = await table.termStatistics()
    await slice.pause()
    const terms = queryTerms(query, statistics)
    // A query may be as long as several pages.
    await slice.pause()
    if (!vector) {
      const hits = await candidates.byWords(terms)
      await analyseAll(hits.map(({ found }) => found))
      return byWords(hits, terms)
    }
    const hits = await (isModel
      ? candidates.byWordsAndVector(terms, vector)
      : candidates.byWordsThenVector(terms, vector))
    await nextTurn(datastore.workspace)
    await analyseAll(hits.map(({ found }) => found))
    deadline.signal.throwIfAborted()
    return byBoth(hits, terms, vector, isModel)
  }
}
