import type { AgentAnswer, Knowledge as KnowledgeWire } from '../../generated/types.gen.ts'
import type { Answering, GivenEvent } from '../answers/answering.ts'
import type { Agents, StoredAgent } from '../domain/agents.ts'
import type { Caller } from '../domain/keys.ts'
import type { Knowledge, Knowledges } from '../domain/knowledge.ts'
import { InsufficientScope, NotFound } from '../errors.ts'
import { etagOf, preconditionOf } from './preconditions.ts'
import { toSearch } from './datastores.ts'
import type { Handlers } from './handler.ts'

export const answerHandlers = (agents: Agents, knowledges: Knowledges, answering: Answering) =>
  ({
    getKnowledge: async ({ path, caller }, reply) => {
      await agents.get(caller.workspace, path.id)
      const knowledge = await knowledges.get(caller.workspace, path.id)
      return reply(200, toWire(knowledge), etagOf(knowledge))
    },

    putKnowledge: async ({ path, headers, body, caller, deadline }, reply) => {
      const { workspace } = caller
      await agents.get(workspace, path.id)
      const value = { ...body, minScore: body.minScore ?? null, filters: body.filters ?? {} }
      const precondition = preconditionOf(headers['if-match'])
      const knowledge = await knowledges.put(workspace, path.id, value, precondition, deadline)
      return reply(200, toWire(knowledge), etagOf(knowledge))
    },

    queryAgent: async ({ path, body, caller, deadline }, reply) => {
      checkOverrides(body, caller)
      const agent = await agents.recall(caller.workspace, path.id)
      checkMayAsk(agent, caller)
      const knowledge = await knowledges.recall(caller.workspace, path.id)
      const filters = { ...toSearch(knowledge.filters), and: toSearch(body.filters ?? {}) }
      const events = answering.ask(agent, knowledge, { ...body, filters }, deadline)
      return body.streaming ? reply.events(events) : reply(200, await answerOf(events))
    },
  }) satisfies Partial<Handlers>

const toWire = ({ value }: Knowledge): KnowledgeWire => value

/** Who may not read agents reaches public ones only, and hears of no others. */
function checkMayAsk({ id, value }: StoredAgent, { scopes }: Caller): void {
  if (value.visibility !== 'public' && !scopes.includes('agents:read')) {
    throw new NotFound('agent', id)
  }
}

type Overrides = { systemPrompt?: string; userPrompt?: string }

/** Prompts say what the agent is: who may not change it may not change them either. */
function checkOverrides({ systemPrompt, userPrompt }: Overrides, { scopes }: Caller): void {
  const isOverridden = systemPrompt !== undefined || userPrompt !== undefined
  if (isOverridden && !scopes.includes('agents:write')) {
    throw new InsufficientScope(['agents:write'])
  }
}

async function answerOf(events: AsyncIterable<GivenEvent>): Promise<AgentAnswer> {
  for await (const event of events) if (event.type === 'done') return event.answer
  throw new Error('An answer ended without an end.')
}
