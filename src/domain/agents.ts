import type { Agent } from '../../generated/types.gen.ts'
import type { Deadline } from '../process/deadline.ts'
import { PreconditionFailed } from '../errors/errors.ts'
import type { Messages, Records } from '../store/store.ts'
import type { PageCursor, Stored } from '../store/types.ts'
import { newId, orNotFound } from './ids.ts'
import type { Knowledges } from './knowledge.ts'
import { pendingIn, toPending } from './pending.ts'
import { type Page, readPage } from './list-page.ts'
import type { Precondition } from './precondition.ts'

export type AgentFields = Omit<Agent, 'id'>
export type StoredAgent = Stored<AgentFields>

const textFields = [
  'name',
  'description',
  'modelName',
  'visibility',
  'systemPrompt',
  'userPrompt',
  'promptType',
  'promptTemplate',
] as const

export const isValidAgent = (fields: AgentFields): boolean =>
  typeof fields.temperature === 'number' &&
  textFields.every((name) => typeof fields[name] === 'string')

export class Agents {
  readonly #records: Records<AgentFields>
  readonly #knowledges: Knowledges
  readonly #messages: Messages

  constructor(records: Records<AgentFields>, knowledges: Knowledges, messages: Messages) {
    this.#records = records
    this.#knowledges = knowledges
    this.#messages = messages
  }

  async create(workspace: string, fields: AgentFields, deadline: Deadline): Promise<StoredAgent> {
    const agent = await this.#records.insert(newId('agt'), workspace, fields, deadline)
    if (!agent) throw new Error('An id was made twice.')
    return agent
  }

  list(workspace: string, limit: number, position?: PageCursor): Promise<Page<StoredAgent>> {
    return readPage(limit, (rows) => this.#records.list(workspace, rows, position))
  }

  /** @throws NotFound */
  async get(workspace: string, id: string): Promise<StoredAgent> {
    return orNotFound(await this.#records.get(id, workspace), 'agent', id)
  }

  /** Whether an agent was deleted. Ask once something of it is stored, which its removal may have missed. */
  async isGone(workspace: string, id: string): Promise<boolean> {
    return (await this.#records.get(id, workspace)) === undefined
  }

  /** Changes the given fields, and retries after a lost race. @throws NotFound, PreconditionFailed */
  async update(
    workspace: string,
    id: string,
    changes: Partial<AgentFields>,
    precondition: Precondition,
    deadline: Deadline,
  ): Promise<StoredAgent> {
    for (;;) {
      const agent = await this.#permitted(workspace, id, precondition)
      const value = { ...agent.value, ...changes }
      const updated = await this.#records.replace(agent, value, { deadline })
      if (updated) return updated
    }
  }

  /** Deletes an agent and returns its last state. After a crash, `recover` finishes it. @throws NotFound, PreconditionFailed */
  async remove(
    workspace: string,
    id: string,
    precondition: Precondition,
    deadline: Deadline,
  ): Promise<StoredAgent> {
    for (;;) {
      const agent = await this.#permitted(workspace, id, precondition)
      const deleting = toPending({ doing: 'deleting', workspace })
      // Hidden from here on. Only one caller succeeds.
      const pending = await this.#records.move(agent, deleting, deadline)
      if (!pending) continue
      await this.#finishRemoval(pending)
      return agent
    }
  }

  /** Finishes removals, or those begun before a time. */
  async recover(before?: Date): Promise<void> {
    for (const pending of await pendingIn(this.#records, before)) {
      await this.#finishRemoval(pending)
    }
  }

  async #finishRemoval(pending: StoredAgent): Promise<void> {
    await this.#messages.removeOfAgent(pending.id)
    await this.#knowledges.remove(pending.id)
    await this.#records.remove(pending)
  }

  async #permitted(workspace: string, id: string, allows: Precondition): Promise<StoredAgent> {
    const agent = await this.get(workspace, id)
    if (!allows(agent.rev)) throw new PreconditionFailed(agent.rev)
    return agent
  }
}
