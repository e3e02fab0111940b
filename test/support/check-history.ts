import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { Gone, pages } from './answers.ts'
import { inspectTexts } from './inspection-of-texts.ts'
import { find, type Notebook } from './notebook.ts'
import { checkedClient } from './server.ts'

type Listed = { id: string; name: string }

/**
 * Compares what a server has with what was acknowledged, and repeats what may be repeated. What it
 * finds is noted: whoever has read it once is to find it again.
 * @param faults takes what is lost, half there, or there without having been asked for
 * @throws Gone where the server is killed meanwhile
 */
export async function inspect(url: string, notebook: Notebook, faults: string[]): Promise<void> {
  const client = checkedClient(url)
  await inspectAgents(client, notebook, faults)
  await inspectKeys(client, notebook, faults)
  await trySecrets(url, notebook, faults)
  await inspectDatastores(client, notebook, faults)
  await inspectTexts(client, notebook, faults)
}

async function inspectAgents(client: Client, notebook: Notebook, faults: string[]): Promise<void> {
  const listed = await pages((query) => sdk.listAgents({ client, query }))
  const compared = compare('agent', notebook.agents, listed, (note, agent) =>
    find(note.description, agent?.description),
  )
  faults.push(...compared)
  notebook.agents = notebook.agents.filter(({ description }) => description.known !== undefined)
}

async function inspectKeys(client: Client, notebook: Notebook, faults: string[]): Promise<void> {
  const listed = await pages((query) => sdk.listKeys({ client, query }))
  const made = listed.filter(({ name }) => name !== 'first key')
  const compared = compare('key', notebook.keys, made, (note, key) =>
    find(note.state, key && (key.revokedAt === null ? 'valid' : 'revoked')),
  )
  faults.push(...compared)
  notebook.keys = notebook.keys.filter(({ state }) => state.known !== undefined)
}

async function trySecrets(url: string, notebook: Notebook, faults: string[]): Promise<void> {
  for (const { name, secret, state } of notebook.keys.slice(-8)) {
    if (secret === undefined) continue
    const { response } = await sdk.listAgents({ client: checkedClient(url, secret) })
    if (!response) throw new Gone()
    const expected = state.known === 'valid' ? 200 : 401
    if (response.status !== expected) faults.push(`key ${name}: answers ${response.status}`)
  }
}

async function inspectDatastores(
  client: Client,
  notebook: Notebook,
  faults: string[],
): Promise<void> {
  const listed = await pages((query) => sdk.listDatastores({ client, query }))
  const compared = compare('datastore', notebook.datastores, listed, (note, datastore) =>
    find(note.isThere, datastore && true),
  )
  faults.push(...compared)
  for (const note of notebook.datastores) {
    if (!note.isThere.known) notebook.forgetDatastore(note)
  }
}

/** Compares what was noted with what is listed, by name. */
function compare<Note extends { name: string; id?: string }, Thing extends Listed>(
  kind: string,
  notes: Note[],
  listed: Thing[],
  fault: (note: Note, thing: Thing | undefined) => string | undefined,
): string[] {
  const byName = new Map(listed.map((thing) => [thing.name, thing]))
  const faults = notes.flatMap((note) => {
    const thing = byName.get(note.name)
    byName.delete(note.name)
    note.id ??= thing?.id
    const wrong = fault(note, thing) ?? (thing && note.id !== thing.id ? 'another id' : undefined)
    return wrong === undefined ? [] : [`${kind} ${note.name}: ${wrong}`]
  })
  const unknown = [...byName.keys()].map((name) => `${kind} ${name}: came back`)
  return [...faults, ...unknown]
}
