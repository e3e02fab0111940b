import { defaults } from '../../generated/defaults.gen.ts'
import type { Filters, Override, QueryMode } from '../../generated/types.gen.ts'
import { InvalidRequest, NotFound, orUndefined, PreconditionFailed } from '../errors/errors.ts'
import type { Deadline } from '../process/deadline.ts'
import type { Records } from '../store/store.ts'
import type { Precondition, Revision } from './precondition.ts'
import type { Datastore, Datastores } from './datastores.ts'

/** As stored. Knowledge from before `overrides` has none. */
export type StoredKnowledge = {
  datastoreIds: string[]
  topK: number
  mode: QueryMode
  minScore: number | null
  filters: Filters
  noAnswer: string
  /** The parameters of a question that a caller without `agents:write` may choose. */
  overrides?: Override[]
}
export type KnowledgeFields = Required<StoredKnowledge>

/** `rev` is 0 until knowledge is first written. */
export type Knowledge = { rev: Revision; value: KnowledgeFields }

const empty: Knowledge = {
  rev: 0,
  value: {
    datastoreIds: [],
    topK: defaults.SourceCount,
    mode: defaults.QueryMode,
    minScore: null,
    filters: {},
    noAnswer: defaults.NoAnswer,
    overrides: [...defaults.Overrides],
  },
}

export const isValidKnowledge = ({
  datastoreIds,
  topK,
  mode,
  filters,
  noAnswer,
  overrides = [],
}: StoredKnowledge) =>
  datastoreIds.every((id) => typeof id === 'string') &&
  Number.isInteger(topK) &&
  [mode, noAnswer].every((text) => typeof text === 'string') &&
  typeof filters === 'object' &&
  Array.isArray(overrides)

const filled = ({ rev, value }: { rev: Revision; value: StoredKnowledge } = empty): Knowledge => ({
  rev,
  value: { ...empty.value, ...value },
})

/** The knowledge of agents, by their ids. The caller has looked the agent up. */
export class Knowledges {
  readonly #records: Records<StoredKnowledge>
  readonly #datastores: Datastores

  constructor(records: Records<StoredKnowledge>, datastores: Datastores) {
    this.#records = records
    this.#datastores = datastores
  }

  async get(workspace: string, agentId: string): Promise<Knowledge> {
    return this.#shown(workspace, filled(await this.#records.get(agentId, workspace)))
  }

  /** As `get`, but names deleted datastores, too. */
  async stored(workspace: string, agentId: string): Promise<KnowledgeFields> {
    return filled(await this.#records.get(agentId, workspace)).value
  }

  async datastoresOf(workspace: string, { datastoreIds }: KnowledgeFields): Promise<Datastore[]> {
    const found = await this.#found(workspace, datastoreIds)
    return found.filter((datastore) => datastore !== undefined)
  }

  /** @throws InvalidRequest naming each missing datastore, PreconditionFailed */
  async put(
    workspace: string,
    agentId: string,
    value: KnowledgeFields,
    allows: Precondition,
    deadline: Deadline,
  ): Promise<Knowledge> {
    await this.#checkDatastores(workspace, value)
    for (;;) {
      const current = await this.#records.get(agentId, workspace)
      const { rev } = await this.#shown(workspace, filled(current))
      if (!allows(rev)) throw new PreconditionFailed(rev)
      const stored = current
        ? await this.#records.replace(current, value, { deadline })
        : await this.#records.insert(agentId, workspace, value, deadline)
      if (stored) return filled(stored)
    }
  }

  async remove(agentId: string): Promise<void> {
    const stored = await this.#records.get(agentId)
    if (stored) await this.#records.remove(stored)
  }

  /** Without deleted datastores. Their number is part of the revision, since a deletion writes nothing here. */
  async #shown(workspace: string, { rev, value }: Knowledge): Promise<Knowledge> {
    const datastores = await this.datastoresOf(workspace, value)
    const leftOut = value.datastoreIds.length - datastores.length
    const shown = { ...value, datastoreIds: datastores.map(({ id }) => id) }
    return { rev: leftOut === 0 ? rev : `${rev}-${leftOut}`, value: shown }
  }

  async #checkDatastores(workspace: string, { datastoreIds }: KnowledgeFields): Promise<void> {
    const found = await this.#found(workspace, datastoreIds)
    const violations = found.flatMap((datastore, index) => {
      const detail = 'is no datastore of this workspace'
      return datastore ? [] : { pointer: `/datastoreIds/${index}`, detail }
    })
    if (violations.length > 0) throw new InvalidRequest(violations)
  }

  #found(workspace: string, ids: string[]): Promise<(Datastore | undefined)[]> {
    const find = (id: string) => this.#datastores.require(workspace, id)
    return Promise.all(ids.map((id) => find(id).catch(orUndefined(NotFound))))
  }
}
