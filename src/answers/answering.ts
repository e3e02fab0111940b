import type { Agent, AgentAnswer, AgentEvent, QueryAgent } from '../../generated/types.gen.ts'
import type { ChatModel } from '../chat/chat-model.ts'
import type { StoredAgent } from '../domain/agents.ts'
import type { Conversations, Thread } from '../domain/conversations.ts'
import type { KnowledgeFields, Knowledges } from '../domain/knowledge.ts'
import { Abandoned } from '../errors/errors.ts'
import type { Retrieval } from '../retrieval/retrieval.ts'
import type { Deadline } from '../process/deadline.ts'
import { FairSemaphore } from '../process/fair-shares.ts'
import type { SearchFilters } from '../store/types.ts'
import { pageAt } from '../text/pages.ts'
import {
  type Answerer,
  type AnswerPart,
  declining,
  noUsage,
  type Prompts,
  type Rewrite,
  type Task,
  GatheredAnswer,
} from './answerer.ts'
import { ChatAnswerer } from './chat-answerer.ts'
import { type Covering, findCovering } from './covering-sources.ts'
import { ExtractiveAnswerer } from './extractive-answerer.ts'
import { type Source, toAnswerSource } from './sources.ts'
import { queryRewrites } from './standalone-question.ts'

/** A member replaces the agent's own. */
type AgentQuestion = Omit<QueryAgent, 'filters' | 'streaming' | 'store'> & {
  /** The filters of the knowledge and of the question together. */
  filters: SearchFilters
  streaming: boolean
  store: boolean
}

/** Every event but the failure, which `http/event-stream.ts` writes. */
export type GivenEvent = Exclude<AgentEvent, { type: 'error' }>

/** More would only take the event loop from the questions of other workspaces. */
const maxFinding = 8

export class Answering {
  readonly #finding = new FairSemaphore(maxFinding)
  readonly #knowledges: Knowledges
  readonly #conversations: Conversations
  readonly #retrieval: Retrieval
  readonly #chat: ChatModel | undefined

  constructor(
    knowledges: Knowledges,
    conversations: Conversations,
    retrieval: Retrieval,
    chat: ChatModel | undefined,
  ) {
    this.#knowledges = knowledges
    this.#conversations = conversations
    this.#retrieval = retrieval
    this.#chat = chat
  }

  /** The turn is durable before `done`. @throws NotFound, ChatFailed, ChatTimeout, StorageFull, and as a query does */
  async *ask(
    stored: StoredAgent,
    knowledge: KnowledgeFields,
    question: AgentQuestion,
    deadline: Deadline,
  ): AsyncGenerator<GivenEvent> {
    const { conversationId, visitorId } = question
    const agent = overridden(stored.value, question)
    const answerer = this.#answererFor(agent)
    using thread = await this.#conversations.open(stored, conversationId, visitorId)
    if (question.store) await this.#conversations.checkRoom()
    const asked = await understood(question, thread, answerer, deadline)
    const found = await this.#find(stored.workspace, knowledge, asked.rewrites, question, deadline)
    yield { type: 'sources', sources: found.sources.map(toAnswerSource) }
    const gathered = new GatheredAnswer(found.sources, answerer.model, asked.usage)
    const task = toTask(agent, knowledge, question, thread, found)
    let isWhole = false
    try {
      for await (const given of answered(answerer, task, found, deadline)) {
        const part = withPage(given, found.sources)
        gathered.take(part)
        if (part.type !== 'end') yield part
      }
      const answer = await this.#keep(thread, question, gathered, deadline)
      isWhole = true
      yield { type: 'done', answer }
    } finally {
      const { reason } = deadline.signal
      if (!isWhole && reason instanceof Abandoned) await this.#keepPart(thread, question, gathered)
    }
  }

  #answererFor({ modelName }: Pick<Agent, 'modelName'>): Answerer {
    const model = this.#chat?.modelFor(modelName)
    if (!this.#chat || model === undefined) return new ExtractiveAnswerer()
    return new ChatAnswerer(this.#chat, modelName, model)
  }

  async #find(
    workspace: string,
    knowledge: KnowledgeFields,
    rewrites: Rewrite[],
    question: AgentQuestion,
    deadline: Deadline,
  ): Promise<Covering> {
    const datastores = await this.#knowledges.datastoresOf(workspace, knowledge)
    const { topK = knowledge.topK, minScore = knowledge.minScore ?? undefined } = question
    const { filters } = question
    const search = { topK, minScore, mode: knowledge.mode, filters, distinct: true }
    const inSlot = <T>(work: () => Promise<T>) => this.#finding.run(workspace, work)
    return findCovering(this.#retrieval, datastores, rewrites, search, deadline, inSlot)
  }

  async #keep(
    thread: Thread,
    { query, store, visitorId }: AgentQuestion,
    { whole: { answer, ...details } }: GatheredAnswer,
    deadline?: Deadline,
  ): Promise<AgentAnswer> {
    const turn = { question: query, answer, details: JSON.stringify(details) }
    const messageId = store ? await this.#conversations.append(thread, turn, deadline) : null
    const isKnown = store || !thread.isNew
    const whose = {
      conversationId: isKnown ? thread.id : null,
      visitorId: isKnown ? thread.visitorId : (visitorId ?? null),
    }
    return { answer, ...details, ...whose, messageId }
  }

  /** A visitor has read this part before closing the connection, so the conversation keeps it. */
  async #keepPart(
    thread: Thread,
    question: AgentQuestion,
    gathered: GatheredAnswer,
  ): Promise<void> {
    if (!question.streaming || gathered.whole.answer === '') return
    gathered.whole.finishReason = 'aborted'
    await this.#keep(thread, question, gathered).catch(() => undefined)
  }
}

async function understood(
  { query }: AgentQuestion,
  { history }: Thread,
  answerer: Answerer,
  { signal }: Deadline,
) {
  if (history.length === 0 || !answerer.standalone) {
    return { rewrites: queryRewrites(query, history), usage: noUsage }
  }
  return answerer.standalone(query, history, signal)
}

const toTask = (
  agent: StoredAgent['value'],
  { noAnswer }: KnowledgeFields,
  { query }: AgentQuestion,
  { history }: Thread,
  found: Covering,
): Task => {
  const { temperature } = agent
  return { ...found, query, history, prompts: promptsOf(agent), temperature, noAnswer }
}

/** A deprecated template counts where the prompt that replaces it is empty. */
function promptsOf(agent: StoredAgent['value']): Prompts {
  const { systemPrompt, userPrompt, promptType, promptTemplate } = agent
  const [system, user] = promptType === 'raw' ? ['', promptTemplate] : [promptTemplate, '']
  return { system: systemPrompt || system, user: userPrompt || user }
}

const answered = (answerer: Answerer, task: Task, { isCovered }: Covering, { signal }: Deadline) =>
  isCovered ? answerer.answer(task, signal) : declining(task, answerer.model)

function withPage(part: AnswerPart, sources: readonly Source[]): AnswerPart {
  if (part.type !== 'citation') return part
  const { citation } = part
  const pages = sources[citation.source]?.pages
  if (!pages) return part
  const page = pageAt(pages, citation.quote.start)
  return { ...part, citation: { ...citation, quote: { ...citation.quote, page } } }
}

function overridden(agent: StoredAgent['value'], question: AgentQuestion): StoredAgent['value'] {
  const { modelName, temperature, systemPrompt, userPrompt } = question
  return {
    ...agent,
    ...(modelName !== undefined && { modelName }),
    ...(temperature !== undefined && { temperature }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(userPrompt !== undefined && { userPrompt }),
  }
}
