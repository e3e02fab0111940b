import type { Agent } from '../../generated/types.gen.ts'
import type { Agents, StoredAgent } from '../domain/agents.ts'
import type { Handlers } from './handler.ts'
import { etagOf, preconditionOf } from './if-match.ts'
import { fromCursor, toWirePage } from './paging.ts'

type AgentHandlers = Pick<
  Handlers,
  'createAgent' | 'listAgents' | 'getAgent' | 'updateAgent' | 'deleteAgent'
>

export const agentHandlers = (agents: Agents): AgentHandlers => ({
  createAgent: async ({ body }, reply, { workspace }) => {
    const agent = await agents.create(workspace, body)
    return reply(201, toWire(agent), { ...etagOf(agent), Location: `/agents/${agent.id}` })
  },

  listAgents: async ({ query }, reply, { workspace }) => {
    const page = await agents.list(workspace, query.limit, fromCursor(query.cursor))
    return reply(200, toWirePage(page, toWire))
  },

  getAgent: async ({ path }, reply, { workspace }) => {
    const agent = await agents.get(workspace, path.id)
    return reply(200, toWire(agent), etagOf(agent))
  },

  updateAgent: async ({ path, headers, body }, reply, { workspace }) => {
    const precondition = preconditionOf(headers['if-match'])
    const agent = await agents.update(workspace, path.id, body, precondition)
    return reply(200, toWire(agent), etagOf(agent))
  },

  deleteAgent: async ({ path, headers }, reply, { workspace }) => {
    const agent = await agents.remove(workspace, path.id, preconditionOf(headers['if-match']))
    return reply(200, toWire(agent), etagOf(agent))
  },
})

const toWire = ({ id, value }: StoredAgent): Agent => ({ id, ...value })
