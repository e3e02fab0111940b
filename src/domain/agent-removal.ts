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

  /** Deletes an agent and returns its last state. A crash leaves its mark. @throws NotFound, PreconditionFailed */
  async remove(
    workspace: string,
    id: string,
    precondition: Precondition,
    deadline: Deadline,
  ): Promise<StoredAgent> {
    const { agent, marked } = await this.#agents.mark(workspace, id, precondition, deadline)
    await this.#finish(marked)
    return agent
  }

  async recover(): Promise<void> {
    for (const marked of await this.#agents.marked()) await this.#finish(marked)
  }

  async #finish(marked: StoredAgent): Promise<void> {
    await this.#messages.removeOfAgent(marked.id)
    await this.#knowledges.remove(marked.id)
    await this.#agents.drop(marked)
  }
}
