import {
  type AgentAnswer,
  type Knowledge as KnowledgeWire,
  Override,
  type QueryAgent,
} from '../../generated/types.gen.ts'
import type { Answering, GivenEvent } from '../answers/answering.ts'
import type { Agents, StoredAgent } from '../domain/agents.ts'
import type { Caller } from '../domain/keys.ts'
import type { Knowledge, KnowledgeFields, Knowledges } from '../domain/knowledge.ts'
import { InsufficientScope, NotFound } from '../errors/errors.ts'
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
      const precondition = preconditionOf(headers)
      const knowledge = await knowledges.put(workspace, path.id, value, precondition, deadline)
      if (await agents.isGone(workspace, path.id)) {
        await knowledges.remove(path.id)
        throw new NotFound('agent', path.id)
      }
      return reply(200, toWire(knowledge), etagOf(knowledge))
    },

    queryAgent: async ({ path, body, caller, deadline }, reply) => {
      checkPrompts(body, caller)
      const agent = await agents.get(caller.workspace, path.id)
      checkMayAsk(agent, caller)
      const knowledge = await knowledges.stored(caller.workspace, path.id)
      checkOverrides(body, knowledge, caller)
      const filters = { ...toSearch(knowledge.filters), and: toSearch(body.filters ?? {}) }
      const events = answering.ask(agent, knowledge, { ...body, filters }, deadline)
      return body.streaming ? reply.events(events) : reply(200, await answerOf(events))
    },
  }) satisfies Partial<Handlers>

const toWire = ({ value }: Knowledge): KnowledgeWire => value

/** Without `agents:read` a caller sees public agents only. Others are 404. */
function checkMayAsk({ id, value }: StoredAgent, { scopes }: Caller): void {
  if (value.visibility !== 'public' && !scopes.includes('agents:read')) {
    throw new NotFound('agent', id)
  }
}

const byKey = 'use a key with agents:write'

/** Prompts define the agent, so only callers that may change the agent may send them. */
function checkPrompts(question: QueryAgent, caller: Caller): void {
  refuse(sentOf(question, ['systemPrompt', 'userPrompt']), caller, byKey)
}

/** The agent's owner pays for these choices, so the knowledge says which of them other callers may make. */
function checkOverrides(question: QueryAgent, knowledge: KnowledgeFields, caller: Caller): void {
  const sent = sentOf(question, Object.values(Override))
  const refused = sent.filter((member) => !knowledge.overrides.includes(member))
  refuse(refused, caller, `allow it in the overrides of the agent's knowledge, or ${byKey}`)
}

const sentOf = <Member extends keyof QueryAgent>(
  question: QueryAgent,
  members: Member[],
): Member[] => members.filter((member) => question[member] !== undefined)

function refuse(members: string[], { scopes }: Caller, remedy: string): void {
  if (members.length === 0 || scopes.includes('agents:write')) return
  const detail = `This key may not choose ${members.join(', ')}; ${remedy}.`
  throw new InsufficientScope(['agents:write'], detail)
}

async function answerOf(events: AsyncIterable<GivenEvent>): Promise<AgentAnswer> {
  for await (const event of events) if (event.type === 'done') return event.answer
  throw new Error('An answer ended without an end.')
}
