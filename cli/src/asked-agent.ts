import type { AgentsDatastores } from '../../client/src/index.ts'
import { CommandFailed } from './failures.ts'
import { findAgent, findDatastore } from './names.ts'
import { note } from './output/print.ts'

/** The id of the agent of a name or id, or of a new one for the datastore of it. @throws CommandFailed */
export async function agentToAsk(client: AgentsDatastores, word: string): Promise<string> {
  const agent = await findAgent(client, word)
  if (agent !== undefined) {
    // A key that may only ask names an agent by its id.
    if (agent !== word) await noteIfUnlearned(client, agent, word)
    return agent
  }
  const datastore = await findDatastore(client, word)
  if (!datastore) throw new CommandFailed(`There is no agent and no datastore named "${word}".`)
  return (
    (datastore.name !== word && (await findAgent(client, datastore.name))) ||
    agentFor(client, datastore)
  )
}

async function agentFor(
  client: AgentsDatastores,
  { id, name }: { id: string; name: string },
): Promise<string> {
  const description = `Answers from the datastore ${name}.`
  const agent = await client.createAgent({ name, description })
  await client.putKnowledge(agent.id, { datastoreIds: [id] })
  note(`Made the agent ${name} (${agent.id}), which answers from the datastore ${name}.`)
  return agent.id
}

/** An agent is not told when its datastore is deleted, and then made anew under the same name. */
async function noteIfUnlearned(client: AgentsDatastores, id: string, name: string): Promise<void> {
  const { datastoreIds } = await client.getKnowledge(id)
  if (datastoreIds.length > 0) return
  note(`The agent ${name} has no datastore to answer from; agents update --datastore gives it one.`)
}
