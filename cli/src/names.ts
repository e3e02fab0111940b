import type { AgentsDatastores } from '../../client/src/index.ts'
import { CommandFailed, UsageError } from './failures.ts'
import { harmless } from './output/harmless.ts'
import { counted } from './output/numbers.ts'
import { note } from './output/print.ts'

export type Named = {
  id: string
  name: string
  description: string
  datasourceCount?: number
  createdAt?: string
}

/** The id of the datastore that a word names by its id or name. @throws CommandFailed */
export async function datastoreId(client: AgentsDatastores, word: string): Promise<string> {
  if (isIdOf('dst', word)) return word
  const datastore = await findDatastore(client, word)
  if (datastore) return datastore.id
  throw new CommandFailed(`There is no datastore named "${word}".`)
}

/** As `datastoreId`, but makes a missing datastore if `mayCreate`. @throws CommandFailed, UsageError */
export async function datastoreIdOrNew(
  client: AgentsDatastores,
  word: string,
  mayCreate: boolean,
  settings: { description?: string; fragmentLength?: number } = {},
): Promise<string> {
  if (isIdOf('dst', word)) return word
  const datastore = await findDatastore(client, word)
  if (datastore) return datastore.id
  if (!mayCreate) {
    throw new CommandFailed(`There is no datastore named "${word}"; --create makes it.`)
  }
  checkName(word)
  return oldestNamesake(client, await client.createDatastore({ ...settings, name: word }))
}

/** If others made a datastore of this name at the same time, all take the oldest, and delete their own. */
async function oldestNamesake(
  client: AgentsDatastores,
  own: { id: string; name: string; createdAt: string },
): Promise<string> {
  let oldest = own
  for await (const one of client.listDatastores({ limit: 100 })) {
    if (one.name === own.name && isOlder(one, oldest)) oldest = one
  }
  if (oldest !== own) await client.deleteDatastore(own.id)
  return oldest.id
}

const isOlder = (a: { id: string; createdAt: string }, b: typeof a): boolean =>
  a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt

export async function findDatastore(
  client: AgentsDatastores,
  word: string,
): Promise<Named | undefined> {
  if (isIdOf('dst', word)) return client.getDatastore(word)
  return named(client.listDatastores({ limit: 100 }), word, 'datastore')
}

/** @throws UsageError if the name is blank, which no command could name */
export function checkName(name: string): void {
  if (name.trim() === '') throw new UsageError('The name is blank.')
}

/** Tells that another datastore has this name already, which then names neither of the two. */
export async function noteNamesake(
  client: AgentsDatastores,
  name: string,
  self?: string,
): Promise<void> {
  for await (const { id, name: taken } of client.listDatastores({ limit: 100 })) {
    if (taken !== name || id === self) continue
    return note(`Another datastore is named "${name}", ${id}; now only their ids tell them apart.`)
  }
}

/** @throws CommandFailed */
export async function agentId(client: AgentsDatastores, word: string): Promise<string> {
  if (isIdOf('agt', word)) return word
  const agent = await findAgent(client, word)
  if (agent) return agent.id
  throw new CommandFailed(`There is no agent named "${word}".`)
}

export const findAgent = (client: AgentsDatastores, name: string): Promise<Named | undefined> =>
  named(client.listAgents({ limit: 100 }), name, 'agent')

/** Whether a word is an identifier that the service made; anything else is a name. */
export const isIdOf = (kind: string, word: string): boolean =>
  word.startsWith(`${kind}_`) && /^[0-9a-f]+$/.test(word.slice(kind.length + 1))

/** Whether a URL cannot hold this key, because it normalizes such a part of a path. */
export const isPathLess = (key: string): boolean => ['', '.', '..'].includes(key)

async function named(
  all: AsyncIterable<Named>,
  word: string,
  kind: string,
): Promise<Named | undefined> {
  const found: Named[] = []
  for await (const one of all) if (one.name === word) found.push(one)
  if (found.length <= 1) return found[0]
  const lines = found.map((one) => `\n  ${descriptionOf(one)}`)
  throw new CommandFailed(
    `More than one ${kind} is named "${word}". Give one of these ids instead:${lines.join('')}`,
  )
}

function descriptionOf({ id, description, datasourceCount, createdAt }: Named): string {
  const size = datasourceCount === undefined ? [] : [counted(datasourceCount, 'document')]
  const age = createdAt ? [`made on ${createdAt.slice(0, 10)}`] : []
  return [id, ...size, ...age, ...(description ? [harmless(description)] : [])].join(', ')
}
