import * as sdk from '../../generated/sdk.gen.ts'
import { Scope } from '../../generated/types.gen.ts'
import { answerOf } from './answers.ts'
import { type AgentNote, type DatastoreNote, Fact, type KeyNote } from './notebook.ts'
import type { Worker } from './worker.ts'

const mostAgents = 4

/** Makes, changes or deletes an agent. */
export async function changeAgents({ client, notebook, random, owner }: Worker): Promise<void> {
  const own = notebook.agents.filter((agent) => agent.owner === owner)
  if (own.length === 0 || (own.length < mostAgents && random.chance(0.4))) {
    const name = notebook.newName()
    const note: AgentNote = { name, owner, description: new Fact<string>() }
    notebook.agents.push(note)
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
    notebook.agents = notebook.agents.filter((agent) => agent !== note)
    return
  }
  const description = `as changed by ${notebook.newName()}`
  await note.description.change(description, async () => {
    await answerOf(sdk.updateAgent({ client, path, body: { description } }))
  })
}

/** Makes a key, or revokes the last one. */
export async function changeKeys({ client, notebook, owner }: Worker): Promise<void> {
  const last = notebook.keys.findLast((key) => key.owner === owner)
  if (last?.id !== undefined && last.state.known === 'valid') {
    const path = { id: last.id }
    await last.state.change('revoked', async () => {
      await answerOf(sdk.revokeKey({ client, path }))
    })
    return
  }
  const name = notebook.newName()
  const note: KeyNote = { name, owner, state: new Fact<'valid' | 'revoked'>() }
  notebook.keys.push(note)
  await note.state.change('valid', async () => {
    const body = { name, scopes: [Scope.AGENTS_READ] }
    const made = await answerOf(sdk.createKey({ client, body }))
    note.id = made.id
    note.secret = made.key
  })
}

/** Makes a datastore of the client's own, or deletes it with what is in it. */
export async function changeDatastores(worker: Worker): Promise<void> {
  const { client, notebook, owner } = worker
  const own = notebook.datastores.find((datastore, n) => n > 0 && datastore.owner === owner)
  if (!own) return makeDatastore(worker)
  const path = { id: own.id! }
  await own.isThere.change(undefined, async () => {
    await answerOf(sdk.deleteDatastore({ client, path }))
  })
  notebook.forgetDatastore(own)
}

export async function makeDatastore({ client, notebook, owner }: Worker): Promise<void> {
  const name = notebook.newName()
  const note: DatastoreNote = { name, owner, isThere: new Fact<true>() }
  notebook.datastores.push(note)
  await note.isThere.change(true, async () => {
    note.id = (await answerOf(sdk.createDatastore({ client, body: { name } }))).id
  })
}
