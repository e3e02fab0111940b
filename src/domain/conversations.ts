import type { Deadline } from '../process/deadline.ts'
import { NotFound, StorageFull, Unavailable } from '../errors/errors.ts'
import type { Messages } from '../store/store.ts'
import type { PageCursor, NewMessage, StoredMessage, Extent } from '../store/types.ts'
import type { Agents, StoredAgent } from './agents.ts'
import { newId, orNotFound } from './ids.ts'
import { type Page, readPage } from './list-page.ts'

export type ConversationInfo = Extent & { id: string; agentId: string; visitorId: string }
export type Conversation = ConversationInfo & { messages: StoredMessage[] }

/** The conversation a question belongs to. `isNew` until a turn is stored. */
export type Thread = {
  id: string
  agentId: string
  workspace: string
  visitorId: string
  isNew: boolean
  history: StoredMessage[]
}

/** A question and its answer. `details` is JSON of the members that only answers have. */
export type Turn = { question: string; answer: string; details: string }

const maxMessagesShown = 1_000
/** Whoever asks one short question after the other still speaks of the first one's subject. */
const maxMessagesOfHistory = 24

/** The conversations with agents. They are deleted with their agent. */
export class Conversations {
  readonly #messages: Messages
  readonly #agents: Agents
  /** Those that a question is being answered in. An erasure of their visitor takes them out. */
  readonly #opened = new Set<Thread>()

  constructor(messages: Messages, agents: Agents) {
    this.#messages = messages
    this.#agents = agents
  }

  /** Newest first. @throws NotFound if there is no such agent */
  async list(
    workspace: string,
    agentId: string,
    visitorId: string | undefined,
    limit: number,
    position?: PageCursor,
  ): Promise<Page<ConversationInfo>> {
    await this.#agents.get(workspace, agentId)
    const page = await readPage(limit, async (rows) => {
      const firsts = await this.#messages.firstOf(agentId, visitorId, rows, position)
      return firsts.map((first) => {
        const { conversationId: id, createdAt } = first
        return { id, createdAt, first }
      })
    })
    const extents = await this.#messages.extents(page.items.map(({ id }) => id))
    // One that was deleted between the two reads is left out.
    const items = page.items.flatMap(({ id, first }) => {
      const extent = extents.get(id)
      return extent ? toInfo(first, extent) : []
    })
    return { ...page, items }
  }

  /** @throws NotFound */
  async get(workspace: string, id: string): Promise<Conversation> {
    const messages = await this.#messages.ofConversation(workspace, id, maxMessagesShown)
    const first = orNotFound(messages[0], 'conversation', id)
    await this.#checkAgent(workspace, first)
    const extents = await this.#messages.extents([id])
    const extent = orNotFound(extents.get(id), 'conversation', id)
    return { ...toInfo(first, extent), messages }
  }

  /** Deletes a conversation and returns its last state. @throws NotFound */
  async remove(workspace: string, id: string, deadline: Deadline): Promise<Conversation> {
    const conversation = await this.get(workspace, id)
    await this.#messages.removeConversation(id, deadline)
    return conversation
  }

  /** Deletes a visitor's conversations with an agent, and returns their number. @throws NotFound for the agent */
  async removeOf(
    workspace: string,
    agentId: string,
    visitorId: string,
    deadline: Deadline,
  ): Promise<number> {
    await this.#agents.get(workspace, agentId)
    for (const thread of this.#opened) {
      if (thread.agentId === agentId && thread.visitorId === visitorId) this.#opened.delete(thread)
    }
    return this.#messages.removeOfVisitor(agentId, visitorId, deadline)
  }

  /** Goes on with a conversation, or begins one. @throws NotFound if it is not this agent's or visitor's */
  async open(agent: StoredAgent, id?: string, visitorId?: string): Promise<Thread & Disposable> {
    const thread = await this.#find(agent, id, visitorId)
    this.#opened.add(thread)
    return Object.assign(thread, { [Symbol.dispose]: () => void this.#opened.delete(thread) })
  }

  async #find(agent: StoredAgent, id?: string, visitorId?: string): Promise<Thread> {
    const whose = { agentId: agent.id, workspace: agent.workspace }
    if (id === undefined) {
      const thread = { id: newId('cnv'), visitorId: visitorId ?? newId('vst') }
      return { ...whose, ...thread, isNew: true, history: [] }
    }
    const history = await this.#messages.ofConversation(agent.workspace, id, maxMessagesOfHistory)
    const [first] = history
    const isOf = first?.agentId === agent.id && (visitorId ?? first.visitorId) === first.visitorId
    if (!isOf) throw new NotFound('conversation', id)
    return { ...whose, id, visitorId: first.visitorId, isNew: false, history }
  }

  /** Call before a model is paid for an answer. @throws StorageFull, Unavailable if it could not be stored */
  async checkRoom(): Promise<void> {
    await this.#messages.checkRoom().catch((cause: unknown) => {
      if (cause instanceof StorageFull) throw new StorageFull(withoutStoring)
      throw cause instanceof Unavailable
        ? new Unavailable(`${cause.message} ${withoutStoring}`, { cause })
        : cause
    })
  }

  /** Stores a turn durably. @returns the id of the answer's message @throws NotFound if it or its agent was deleted */
  async append(thread: Thread, turn: Turn, deadline?: Deadline): Promise<string> {
    const { id, workspace, agentId } = thread
    const [question, answer] = messagesOf(thread, turn)
    const isStored =
      this.#opened.has(thread) && (await this.#messages.append([question, answer], deadline))
    if (!isStored) throw new NotFound('conversation', id)
    if (await this.#agents.isGone(workspace, agentId)) {
      await this.#messages.removeOfAgent(agentId)
      throw new NotFound('agent', agentId)
    }
    return answer.id
  }

  async #checkAgent(workspace: string, { agentId, conversationId }: StoredMessage): Promise<void> {
    await this.#agents.get(workspace, agentId).catch((error: unknown) => {
      throw error instanceof NotFound ? new NotFound('conversation', conversationId) : error
    })
  }
}

const withoutStoring = 'Ask with "store": false to be answered without a conversation.'

function messagesOf(thread: Thread, turn: Turn): [question: NewMessage, answer: NewMessage] {
  const { id: conversationId, workspace, agentId, visitorId, history } = thread
  const whose = { conversationId, workspace, agentId, visitorId }
  const position = (history.at(-1)?.position ?? -1) + 1
  const question = { ...whose, id: newId('msg'), position, content: turn.question, details: '' }
  const answer = { ...whose, id: newId('msg'), position: position + 1, content: turn.answer }
  return [
    { ...question, role: 'user' },
    { ...answer, role: 'assistant', details: turn.details },
  ]
}

const toInfo = (message: StoredMessage, extent: Extent): ConversationInfo => ({
  id: message.conversationId,
  agentId: message.agentId,
  visitorId: message.visitorId,
  ...extent,
})
