import type {
  Agent,
  AgentsDatastores,
  Datastore,
  Knowledge,
  QueryAgent,
} from '../../../client/src/index.ts'

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

/** More agents than these are not looked at, because each one's knowledge takes a request. */
const maxAgents = 40

/** The agents that answer from a datastore. */
export async function agentsOf(
  client: AgentsDatastores,
  datastore: Datastore,
  signal: AbortSignal,
): Promise<AgentWithKnowledge[]> {
  const { data } = await client.listAgents({ limit: maxAgents }, { signal })
  const all = await Promise.all(
    data.map(async (agent) => ({
      agent,
      knowledge: await client.getKnowledge(agent.id, { signal }),
    })),
  )
  return all.filter(({ knowledge }) => knowledge.datastoreIds.includes(datastore.id))
}

/** Makes an agent that answers from a datastore. Gives its id. */
export async function makeAgent(
  client: AgentsDatastores,
  { id, name }: Datastore,
): Promise<string> {
  const description = `Answers from the datastore ${name}.`
  const agent = await client.createAgent({ name: `Agent of ${name}`.slice(0, 256), description })
  await client.putKnowledge(agent.id, { datastoreIds: [id] })
  return agent.id
}

/** Makes what was tried what the agent answers by. */
export async function saveSettings(
  client: AgentsDatastores,
  { agent, knowledge }: AgentWithKnowledge,
  tried: Tried,
): Promise<void> {
  const { topK, minScore, noAnswer, datastoreIds, ...ofAgent } = tried
  const { description } = agent
  await client.updateAgent(agent.id, { description, ...ofAgent })
  await client.putKnowledge(agent.id, {
    ...knowledge,
    topK: topK ?? knowledge.topK,
    minScore: 'minScore' in tried ? (minScore ?? null) : knowledge.minScore,
    noAnswer: noAnswer ?? knowledge.noAnswer,
    datastoreIds: datastoreIds ?? knowledge.datastoreIds,
  })
}
