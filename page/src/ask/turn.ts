import type { ComponentChildren } from 'preact'
import type {
  AgentAnswer,
  AnswerSource,
  Citation,
  QueryAgent,
  StreamedEvent,
} from '../../../client/src/index.ts'

/** A question and what has come of its answer. */
export type Turn = {
  agentId: string
  body: QueryAgent
  /** Aborts its request. It also identifies the turn. */
  stopping: AbortController
  text: string
  sources: AnswerSource[]
  citations: Citation[]
  result?: AgentAnswer
  error?: unknown
  isStopped?: boolean
  /** The agent's `noAnswer`, if it was tried and not saved. */
  noAnswer?: string
  /** Why it was declined, in words. */
  reason?: ComponentChildren
}

export const newTurn = (agentId: string, body: QueryAgent, noAnswer?: string): Turn => ({
  agentId,
  body,
  stopping: new AbortController(),
  noAnswer,
  text: '',
  sources: [],
  citations: [],
})

export function afterEvent(turn: Turn, event: StreamedEvent): Turn {
  if (event.type === 'sources') return { ...turn, sources: event.sources }
  if (event.type === 'answer') return { ...turn, text: turn.text + event.delta }
  if (event.type === 'citation') {
    return { ...turn, citations: [...turn.citations, event.citation] }
  }
  if (event.type !== 'done') return turn
  const { answer, sources, citations } = event.answer
  return { ...turn, text: answer, sources, citations, result: event.answer }
}

export const isOver = ({ result, error, isStopped }: Turn): boolean =>
  result !== undefined || error !== undefined || isStopped === true
