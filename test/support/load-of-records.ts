import * as sdk from '../../generated/sdk.gen.ts'
import { Scope } from '../../generated/types.gen.ts'
import { answerOf } from './answers.ts'
import {
  type AgentNote,
  type DatastoreNote,
  Fact,
  type KeyNote,
  type Writer,
} from './write-history.ts'

const mostAgents = 4

/** Makes, changes or deletes an agent. */
export async function changeAgents({ client, history, random, owner }: Writer): Promise<void> {
  const own = history.agents.filter((agent) => agent.owner === owner)
  if (own.length === 0 || (own.length < mostAgents && random.chance(0.4))) {
    const name = history.newName()
    const note: AgentNote = { name, owner, description: new Fact<string>() }
    history.agents.push(note)
    await note.description.change('as made', async () => {
      const body = { name, description: 'as made' }
      note.id = (await answerOf(sdk.createAgent({ client, body }))).id
    })
    return
  }
  const note = random.pick(own)
  const path = { id: note.id! }
  if (random.chance(0.3)) {
    await note.description.change(undefined, async () => {
      await answerOf(sdk.deleteAgent({ client, path }))
    })
    history.agents = history.agents.filter((agent) => agent !== note)
    return
  }
  const description = `as changed by ${history.newName()}`
  await note.description.change(description, async () => {
    await answerOf(sdk.updateAgent({ client, path, body: { description } }))
  })
}

/** Makes a key, or revokes the last one. */
export async function changeKeys({ client, history, owner }: Writer): Promise<void> {
  const last = history.keys.findLast((key) => key.owner === owner)
  if (last?.id !== undefined && last.state.known === 'valid') {
    const path = { id: last.id }
    await last.state.change('revoked', async () => {
      await answerOf(sdk.revokeKey({ client, path }))
    })
    return
  }
  const name = history.newName()
  const note: KeyNote = { name, owner, state: new Fact<'valid' | 'revoked'>() }
  history.keys.push(note)
  await note.state.change('valid', async () => {
    const body = { name, scopes: [Scope.AGENTS_READ] }
    const made = await answerOf(sdk.createKey({ client, body }))
    note.id = made.id
    note.secret = made.key
  })
}

/** Makes a datastore of the client's own, or deletes it with what is in it. */
export async function changeDatastores(writer: Writer): Promise<void> {
  const { client, history, owner } = writer
  const own = history.datastores.find((datastore, n) => n > 0 && datastore.owner === owner)
  if (!own) return makeDatastore(writer)
  const path = { id: own.id! }
  await own.isThere.change(undefined, async () => {
    await answerOf(sdk.deleteDatastore({ client, path }))
  })
  history.forgetDatastore(own)
}

export async function makeDatastore({ client, history, owner }: Writer): Promise<void> {
  const name = history.newName()
  const note: DatastoreNote = { name, owner, isThere: new Fact<true>() }
  history.datastores.push(note)
  await note.isThere.change(true, async () => {
    note.id = (await answerOf(sdk.createDatastore({ client, body: { name } }))).id
  })
}
