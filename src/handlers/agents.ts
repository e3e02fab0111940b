import type { Agent } from '../../generated/types.gen.ts'
import type { Agents, StoredAgent } from '../domain/agents.ts'
import type { Handlers } from './handler.ts'
import { fromCursor, toWirePage } from './paging.ts'
import { etagOf, preconditionOf } from './preconditions.ts'

export const agentHandlers = (agents: Agents) =>
  ({
    createAgent: async ({ body, caller, deadline }, reply) => {
      const agent = await agents.create(caller.workspace, body, deadline)
      return reply(201, toWire(agent), { ...etagOf(agent), Location: `/agents/${agent.id}` })
    },

    listAgents: async ({ query, caller }, reply) => {
      const page = await agents.list(
        caller.workspace,
        query.limit,
        fromCursor(query.cursor, 'agents'),
      )
      return reply(200, toWirePage(page, 'agents', toWire))
    },

    getAgent: async ({ path, caller }, reply) => {
      const agent = await agents.get(caller.workspace, path.id)
      return reply(200, toWire(agent), etagOf(agent))
    },

    updateAgent: async ({ path, headers, body, caller, deadline }, reply) => {
      const { id: _sameAsInPath, ...changes } = body
      const precondition = preconditionOf(headers)
      const agent = await agents.update(caller.workspace, path.id, changes, precondition, deadline)
      return reply(200, toWire(agent), etagOf(agent))
    },

    deleteAgent: async ({ path, headers, caller, deadline }, reply) => {
      const precondition = preconditionOf(headers)
      const agent = await agents.remove(caller.workspace, path.id, precondition, deadline)
      return reply(200, toWire(agent), etagOf(agent))
    },
  }) satisfies Partial<Handlers>

const toWire = ({ id, value }: StoredAgent): Agent => ({ id, ...value })
