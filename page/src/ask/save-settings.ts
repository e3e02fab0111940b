import type { AgentsDatastores } from '../../../client/src/index.ts'
import type { Tried } from './agent-settings.tsx'
import type { Knowing } from './agents.ts'

/** Makes what was tried what the agent answers by. */
export async function saveSettings(
  client: AgentsDatastores,
  { agent, knowledge }: Knowing,
  { topK, minScore, noAnswer, ...ofAgent }: Tried & { noAnswer: string },
): Promise<void> {
  const { description } = agent
  await client.updateAgent(agent.id, { description, ...ofAgent })
  await client.putKnowledge(agent.id, {
    ...knowledge,
    topK: topK ?? knowledge.topK,
    minScore: minScore ?? knowledge.minScore,
    noAnswer,
  })
}
