import type { Deadline } from '../scheduling/deadline.ts'
import type { Messages } from '../store/store.ts'
import type { Agents, StoredAgent } from './agents.ts'
import type { Precondition } from './precondition.ts'
import type { Knowledges } from './knowledge.ts'

export class AgentRemoval {
  readonly #agents: Agents
  readonly #knowledges: Knowledges
  readonly #messages: Messages

  constructor(agents: Agents, knowledges: Knowledges, messages: Messages) {
    this.#agents = agents
    this.#knowledges = knowledges
    this.#messages = messages
  }

  /** Deletes an agent and returns its last state. After a crash, `recover` goes on. @throws NotFound, PreconditionFailed */
  async remove(
    workspace: string,
    id: string,
    precondition: Precondition,
    deadline: Deadline,
  ): Promise<StoredAgent> {
    const { agent, pending } = await this.#agents.beginRemoval(
      workspace,
      id,
      precondition,
      deadline,
    )
    await this.#finish(pending)
    return agent
  }

  async recover(): Promise<void> {
    for (const pending of await this.#agents.pending()) await this.#finish(pending)
  }

  async #finish(pending: StoredAgent): Promise<void> {
    await this.#messages.removeOfAgent(pending.id)
    await this.#knowledges.remove(pending.id)
    await this.#agents.drop(pending)
  }
}
