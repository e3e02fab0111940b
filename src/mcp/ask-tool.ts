import type { Agent } from '../../generated/types.gen.ts'
import { chosenByName } from './chosen-by-name.ts'
import type { Tool, ToolContext } from './tool.ts'
import { shortened } from './text-parts.ts'
import { renamePointers, type Arguments, allowOnly, invalidArgument } from './arguments.ts'

/** Bounds how many names are compared. */
const maxPages = 10

export const askTool: Tool = {
  operationId: 'queryAgent',
  isForOneDatastore: false,
  isReadOnly: false,
  run: async (args, context) => {
    allowOnly(args, 'agent', 'query', 'conversationId')
    const { query, conversationId } = args
    const path = { id: await agentId(args, context) }
    const input = { path, body: { query, conversationId } }
    return context.call('queryAgent', input, context.by).catch(renameAgent)
  },
  note: async (context) => {
    if (!mayList(context)) return 'This key needs the id of the agent.'
    const { data, nextCursor } = await context.call('listAgents', {}, context.by)
    if (data.length === 0) return 'There are no agents yet.'
    const names = data.map(({ name }) => shortened(name, 60)).join(', ')
    return `Agents: ${shortened(names, maxNote)}${nextCursor === null ? '' : ' and more'}.`
  },
}

const maxNote = 300
const renameAgent = renamePointers({ '/path/id': '/agent' })

const mayList = ({ by }: ToolContext): boolean => by.caller.scopes.includes('agents:read')

const byIdAlone =
  'must be the id of an agent, as agt_…: without the scope agents:read a key finds none by name'

/** A key that may not list agents names one by its id. */
async function agentId({ agent }: Arguments, context: ToolContext): Promise<string> {
  if (typeof agent === 'string' && /^agt_\w+$/.test(agent)) return agent
  if (!mayList(context)) throw invalidArgument('agent', byIdAlone)
  return chosenByName('agent', agent, await agentsOf(context)).id
}

async function agentsOf({ call, by }: ToolContext): Promise<Agent[]> {
  const agents: Agent[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < maxPages; pages++) {
    const query = { limit: 100, ...(cursor !== null && { cursor }) }
    const page: { data: Agent[]; nextCursor: string | null } = await call(
      'listAgents',
      { query },
      by,
    )
    agents.push(...page.data)
    cursor = page.nextCursor
    if (cursor === null) break
  }
  return agents
}
