import type {
  Agent,
  AgentAnswer,
  AgentEvent,
  QueryAgent,
  Usage,
} from '../../generated/types.gen.ts'
import type { ChatModel } from '../chat/chat-model.ts'
import type { StoredAgent } from '../domain/agents.ts'
import type { Conversations, Thread } from '../domain/conversations.ts'
import type { KnowledgeFields, Knowledges } from '../domain/knowledge.ts'
import type { Retrieval } from '../retrieval/retrieval.ts'
import type { Deadline } from '../scheduling/deadline.ts'
import type { SearchFilters } from '../store/search/found.ts'
import { type Answerer, type AnswerPart, noUsage, type Task } from './answerer.ts'
import { ChatAnswerer } from './chat-answerer.ts'
import { isCovered } from './coverage.ts'
import { ExtractiveAnswerer } from './extractive-answerer.ts'
import { promptsOf } from './prompts.ts'
import { QuestionWords } from './question-words.ts'
import { type Findings, findSources, toAnswerSource } from './sources.ts'
import { readings } from './standalone-question.ts'

/** Overrides of an agent's own fields are among its members. */
export type AgentQuestion = Omit<QueryAgent, 'filters' | 'streaming' | 'store'> & {
  store: boolean
  /** Those of the knowledge and of the question together. */
  filters: SearchFilters
}

/** All but the failure, which ends a stream elsewhere. */
export type GivenEvent = Exclude<AgentEvent, { type: 'error' }>

type Covered = Findings & { words: QuestionWords; isCovered: boolean }

/** Answers questions to agents. */
export class Answering {
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

  /**
   * The events of an answer, the last of them `done`. The turn is durable before that.
   * @throws NotFound, ChatFailed, ChatTimeout, and what a query of a datastore throws
   */
  async *ask(
    stored: StoredAgent,
    knowledge: KnowledgeFields,
    question: AgentQuestion,
    deadline: Deadline,
  ): AsyncGenerator<GivenEvent> {
    const { query, conversationId, visitorId } = question
    const thread = await this.#conversations.open(stored, conversationId, visitorId)
    const agent = overridden(stored.value, question)
    const answerer = this.#answererFor(agent)
    const { history } = thread
    const { signal } = deadline
    const alone =
      history.length > 0 ? await answerer.standalone?.(query, history, signal) : undefined
    const asked = alone ? [alone.query] : readings(query, history)
    const found = await this.#find(stored.workspace, knowledge, asked, question, deadline)
    yield { type: 'sources', sources: found.sources.map(toAnswerSource) }
    const prompts = promptsOf(agent)
    const { temperature } = agent
    const { noAnswer } = knowledge
    const task: Task = { ...found, query, history, prompts, temperature, noAnswer }
    const parts = found.isCovered ? answerer.answer(task, signal) : decline(noAnswer, answerer)
    const gathered = new Gathered(found, alone?.usage)
    for await (const part of parts) {
      gathered.take(part)
      if (part.type !== 'end') yield part
    }
    yield { type: 'done', answer: await this.#keep(thread, question, gathered, deadline) }
  }

  #answererFor({ modelName }: Pick<Agent, 'modelName'>): Answerer {
    const model = this.#chat?.modelFor(modelName)
    if (!this.#chat || model === undefined) return new ExtractiveAnswerer()
    return new ChatAnswerer(this.#chat, modelName, model)
  }

  /** What covers the first of the questions that anything covers; no sources where nothing does. */
  async #find(
    workspace: string,
    knowledge: KnowledgeFields,
    queries: string[],
    { filters, ...question }: AgentQuestion,
    deadline: Deadline,
  ): Promise<Covered> {
    const datastores = await this.#knowledges.datastoresOf(workspace, knowledge)
    const { topK = knowledge.topK, minScore = knowledge.minScore ?? undefined } = question
    const { mode } = knowledge
    let last: Covered | undefined
    for (const query of queries) {
      const search = { query, topK, mode, filters, minScore }
      const found = await findSources(this.#retrieval, datastores, search, deadline)
      const words = new QuestionWords(query, found.statistics)
      const byMeaning = this.#retrieval.findsByMeaning(mode) && found.sources.length > 0
      if (byMeaning || isCovered(words, found.sources)) return { ...found, words, isCovered: true }
      last = { ...found, sources: [], words, isCovered: false }
    }
    return last!
  }

  async #keep(
    thread: Thread,
    { query, store, visitorId }: AgentQuestion,
    gathered: Gathered,
    deadline: Deadline,
  ): Promise<AgentAnswer> {
    const { answer, ...details } = gathered.whole
    const turn = { question: query, answer, details: JSON.stringify(details) }
    const messageId = store ? await this.#conversations.append(thread, turn, deadline) : null
    const isKnown = store || !thread.isNew
    return {
      answer,
      ...details,
      conversationId: isKnown ? thread.id : null,
      visitorId: isKnown ? thread.visitorId : (visitorId ?? null),
      messageId,
    }
  }
}

type Whole = Omit<AgentAnswer, 'conversationId' | 'visitorId' | 'messageId'>

/** An answer as it grows: stream and JSON are the same, because both are made of its parts. */
class Gathered {
  readonly #whole: Whole

  constructor({ sources }: Findings, usage: Usage = noUsage) {
    const empty = { answer: '', answered: true, citations: [], model: '' }
    this.#whole = { ...empty, sources: sources.map(toAnswerSource), finishReason: 'stop', usage }
  }

  get whole(): Whole {
    return this.#whole
  }

  take(part: AnswerPart): void {
    const whole = this.#whole
    if (part.type === 'answer') whole.answer += part.delta
    else if (part.type === 'citation') whole.citations.push(part.citation)
    else {
      whole.model = part.model
      whole.finishReason = part.finishReason
      whole.answered = part.finishReason !== 'no_answer'
      whole.usage = sum(whole.usage, part.usage)
    }
  }
}

const sum = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
})

async function* decline(noAnswer: string, { model }: Answerer): AsyncGenerator<AnswerPart> {
  yield { type: 'answer', delta: noAnswer }
  yield { type: 'end', model, finishReason: 'no_answer', usage: noUsage }
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
