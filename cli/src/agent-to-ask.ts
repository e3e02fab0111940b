import { type AgentsDatastores, ProblemError } from '../../client/src/index.ts'
import { CommandFailed } from './failures.ts'
import { findAgent, findDatastore, isIdOf, type Named } from './names.ts'
import { note } from './output/print.ts'

/** The id of the agent that a word names, or of a new agent for the datastore that it names. @throws CommandFailed */
export async function agentToAsk(client: AgentsDatastores, word: string): Promise<string> {
  if (isIdOf('agt', word)) return word
  const agent = await findAgent(client, word).catch(
    orTold('Give the id of the agent: this key may not look for its name.'),
  )
  if (agent && !isMadeHere(agent)) {
    await noteKnowledge(client, agent)
    return agent.id
  }
  const datastore = await findDatastore(client, word)
  if (datastore) return (await agentOf(client, datastore)) ?? agentFor(client, datastore)
  if (!agent) throw new CommandFailed(`There is no agent and no datastore named "${word}".`)
  await noteKnowledge(client, agent)
  return agent.id
}

const descriptionFor = (datastore: string): string => `Answers from the datastore ${datastore}.`

const isMadeHere = ({ name, description }: Named): boolean => description === descriptionFor(name)

/** The agent that has the name of a datastore. @throws CommandFailed if it answers from another one */
async function agentOf(client: AgentsDatastores, datastore: Named): Promise<string | undefined> {
  const { id, name } = datastore
  const agent = await findAgent(client, name)
  if (!agent) return undefined
  const knowledge = await client.getKnowledge(agent.id)
  const { datastoreIds } = knowledge
  if (datastoreIds.includes(id)) return agent.id
  if (datastoreIds.length > 0) {
    throw new CommandFailed(
      `The agent ${name} answers from ${datastoreIds.join(', ')}, not from the datastore ${name}, ${id}. ` +
        `Give the agent's id, ${agent.id}, to ask it, or say "agents update ${agent.id} --datastore ${id}" first.`,
    )
  }
  await client
    .putKnowledge(agent.id, { ...knowledge, datastoreIds: [id] })
    .catch(orTold(`The agent ${name} has no datastore to answer from.`))
  note(`The agent ${name} had no datastore to answer from, and answers from ${name} (${id}) now.`)
  return agent.id
}

async function agentFor(client: AgentsDatastores, { id, name }: Named): Promise<string> {
  const description = descriptionFor(name)
  const agent = await client
    .createAgent({ name, description })
    .catch(orTold(`No agent has the name of the datastore ${name}, and this key may make none.`))
  await client.putKnowledge(agent.id, { datastoreIds: [id] })
  note(`Made the agent ${name} (${agent.id}), which answers from the datastore ${name}.`)
  return agent.id
}

async function noteKnowledge(client: AgentsDatastores, { id, name }: Named): Promise<void> {
  const { datastoreIds } = await client.getKnowledge(id)
  if (datastoreIds.length === 0) {
    note(
      `The agent ${name} has no datastore to answer from; agents update --datastore gives it one.`,
    )
    return
  }
  const [other] = await unknownNamesakes(client, name, datastoreIds)
  if (other === undefined) return
  note(
    `The agent ${name} answers, but not from the datastore ${name}, ${other}; agents create --datastore makes one that does.`,
  )
}

/** The datastores of an agent's name, where it answers from none of them; a key may not be allowed to look. */
async function unknownNamesakes(
  client: AgentsDatastores,
  agentName: string,
  known: string[],
): Promise<string[]> {
  const ids: string[] = []
  try {
    for await (const { id, name } of client.listDatastores({ limit: 100 })) {
      if (name === agentName) ids.push(id)
    }
  } catch (error) {
    if (!isLackingScope(error)) throw error
  }
  return ids.some((id) => known.includes(id)) ? [] : ids
}

/** Says why a key needs the scope that it lacks. */
const orTold =
  (why: string) =>
  (error: unknown): never => {
    throw isLackingScope(error) ? new CommandFailed(`${why} ${error.detail}`) : error
  }

export const isLackingScope = (error: unknown): error is ProblemError =>
  error instanceof ProblemError && error.code === 'insufficient_scope'
