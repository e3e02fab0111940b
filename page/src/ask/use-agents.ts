import type { Datastore } from '../../../client/src/index.ts'
import { useClient } from '../shared/client.ts'
import { useLoaded } from '../shared/hooks.ts'
import { agentsOf, type Tried } from './agents.ts'
import type { Conversations } from './conversation.ts'

/** The agents that a datastore can be asked by, which of them is asked, and what is tried of it. */
export function useAgents(conversations: Conversations, datastore: Datastore) {
  const client = useClient()
  const choice = conversations.choiceOf(datastore.id)
  const { value, error, again } = useLoaded((signal) => agentsOf(client, datastore, signal), [])
  const knowing =
    value?.find(({ agent }) => agent.id === choice.agentId) ??
    value?.find(({ knowledge }) => knowledge.datastoreIds.includes(datastore.id))
  // What is tried of one agent is not tried of another.
  const isOther = choice.agentId !== undefined && choice.agentId !== knowing?.agent.id
  const tried = isOther ? {} : choice.tried
  const choose = (agentId?: string) => conversations.choose(datastore.id, { agentId, tried: {} })
  const tryOut = (next: Tried) =>
    conversations.choose(datastore.id, { agentId: knowing?.agent.id, tried: next })
  return { agents: value, error, again, knowing, tried, choose, tryOut }
}
