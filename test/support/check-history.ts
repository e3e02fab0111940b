import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { Gone, pages } from './answers.ts'
import { checkTexts } from './check-texts.ts'
import { find, type WriteHistory } from './write-history.ts'
import { checkedClient } from './server.ts'

type Listed = { id: string; name: string }

/**
 * Compares what a server has with what was acknowledged, and repeats what may be repeated. What it finds becomes
 * the known state, because it must be found again.
 * @param faults receives what is lost, partly stored, or stored without a request
 * @throws Gone where the server is killed meanwhile
 */
export async function checkHistory(
  url: string,
  history: WriteHistory,
  faults: string[],
): Promise<void> {
  const client = checkedClient(url)
  await inspectAgents(client, history, faults)
  await inspectKeys(client, history, faults)
  await trySecrets(url, history, faults)
  await inspectDatastores(client, history, faults)
  await checkTexts(client, history, faults)
}

async function inspectAgents(
  client: Client,
  history: WriteHistory,
  faults: string[],
): Promise<void> {
  const listed = await pages((query) => sdk.listAgents({ client, query }))
  const compared = compare('agent', history.agents, listed, (note, agent) =>
    find(note.description, agent?.description),
  )
  faults.push(...compared)
  history.agents = history.agents.filter(({ description }) => description.known !== undefined)
}

async function inspectKeys(client: Client, history: WriteHistory, faults: string[]): Promise<void> {
  const listed = await pages((query) => sdk.listKeys({ client, query }))
  const made = listed.filter(({ name }) => name !== 'first key')
  const compared = compare('key', history.keys, made, (note, key) =>
    find(note.state, key && (key.revokedAt === null ? 'valid' : 'revoked')),
  )
  faults.push(...compared)
  history.keys = history.keys.filter(({ state }) => state.known !== undefined)
}

async function trySecrets(url: string, history: WriteHistory, faults: string[]): Promise<void> {
  for (const { name, secret, state } of history.keys.slice(-8)) {
    if (secret === undefined) continue
    const { response } = await sdk.listAgents({ client: checkedClient(url, secret) })
    if (!response) throw new Gone()
    const expected = state.known === 'valid' ? 200 : 401
    if (response.status !== expected) faults.push(`key ${name}: answers ${response.status}`)
  }
}

async function inspectDatastores(
  client: Client,
  history: WriteHistory,
  faults: string[],
): Promise<void> {
  const listed = await pages((query) => sdk.listDatastores({ client, query }))
  const compared = compare('datastore', history.datastores, listed, (note, datastore) =>
    find(note.isThere, datastore && true),
  )
  faults.push(...compared)
  for (const note of history.datastores) {
    if (!note.isThere.known) history.forgetDatastore(note)
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
