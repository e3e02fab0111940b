import type {
  Agent,
  AgentsDatastores,
  Datastore,
  Knowledge,
  QueryAgent,
} from '../../../client/src/index.ts'
import { allOf } from '../shared/all-of.ts'
import { isGone } from '../shared/failure.tsx'

export type AgentWithKnowledge = { agent: Agent; knowledge: Knowledge }

/** What is otherwise than an agent has it, and not saved yet. */
export type Tried = Pick<
  QueryAgent,
  'topK' | 'minScore' | 'modelName' | 'temperature' | 'systemPrompt' | 'userPrompt'
> &
  Partial<Pick<Agent, 'name'> & Pick<Knowledge, 'noAnswer' | 'datastoreIds'>>

/** The part of it that a question may bring. */
export const askedOf = ({
  name: _name,
  noAnswer: _noAnswer,
  datastoreIds: _datastoreIds,
  ...asked
}: Tried): Omit<QueryAgent, 'query'> => asked

/** The agents that answer from a datastore, and then those that answer from none. */
export async function agentsOf(
  client: AgentsDatastores,
  datastore: Datastore,
  signal: AbortSignal,
): Promise<AgentWithKnowledge[]> {
  const agents = await allOf(client.listAgents({ limit: 100 }, { signal }))
  const withKnowledge = async (agent: Agent): Promise<AgentWithKnowledge[]> => {
    try {
      return [{ agent, knowledge: await client.getKnowledge(agent.id, { signal }) }]
    } catch (error) {
      // It may be deleted since it was listed.
      if (isGone(error)) return []
      throw error
    }
  }
  const all = (await Promise.all(agents.map(withKnowledge))).flat()
  const idsOf = ({ knowledge }: AgentWithKnowledge) => knowledge.datastoreIds
  return [
    ...all.filter((one) => idsOf(one).includes(datastore.id)),
    ...all.filter((one) => idsOf(one).length === 0),
  ]
}

/** Makes an agent that answers from a datastore. Gives its id. */
export async function makeAgent(
  client: AgentsDatastores,
  { id, name }: Datastore,
): Promise<string> {
  const description = `Answers from the datastore ${name}.`
  const agent = await client.createAgent({ name: `Agent of ${name}`.slice(0, 256), description })
  try {
    await client.putKnowledge(agent.id, { datastoreIds: [id] })
  } catch (error) {
    // The datastore may be gone by now.
    await client.deleteAgent(agent.id)
    throw error
  }
  return agent.id
}

/** Makes what was tried what the agent answers by. What others have changed meanwhile stays. */
export async function saveSettings(
  client: AgentsDatastores,
  { id }: Agent,
  tried: Tried,
): Promise<void> {
  const { topK, minScore, noAnswer, datastoreIds, ...ofAgent } = tried
  const { description } = await client.getAgent(id)
  const knowledge = await client.getKnowledge(id)
  await client.putKnowledge(id, {
    ...knowledge,
    topK: topK ?? knowledge.topK,
    minScore: 'minScore' in tried ? (minScore ?? null) : knowledge.minScore,
    noAnswer: noAnswer ?? knowledge.noAnswer,
    datastoreIds: datastoreIds ?? knowledge.datastoreIds,
  })
  await client.updateAgent(id, { description, ...ofAgent })
}
