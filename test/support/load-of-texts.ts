import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { answerOf } from './answers.ts'
import { type DocumentNote, Fact, textOf, type UpsertNote } from './notebook.ts'
import type { Worker } from './worker.ts'

const mostUpserts = 6
const mostDocuments = 4

/** Adds documents; where the client has enough of them it deletes one instead. */
export async function upsertDocuments(worker: Worker): Promise<void> {
  const { client, notebook, random, owner } = worker
  if (notebook.upsertsOf(owner).length >= mostUpserts) return deleteDocument(worker)
  const there = notebook.datastores.filter(({ isThere }) => isThere.known)
  const usable = there.filter((datastore, n) => n === 0 || datastore.owner === owner)
  const name = notebook.newName()
  const note: UpsertNote = {
    name,
    owner,
    datastore: random.pick(usable),
    key: random.chance(0.5) ? `key-of-${name}` : undefined,
    isStored: new Fact<true>(),
    documents: Array.from({ length: 1 + random.below(mostDocuments) }, () => ({
      version: new Fact(0),
    })),
  }
  notebook.upserts.push(note)
  await note.isStored.change(true, () => sendUpsert(client, note))
}

/**
 * Sends an upsert, for the first time or again.
 * @throws where it was answered before with other ids
 */
export async function sendUpsert(
  client: Client,
  { name, datastore, key, documents }: UpsertNote,
): Promise<void> {
  const { ids } = await answerOf(
    sdk.upsertDocuments({
      client,
      path: { datastoreId: datastore.id! },
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
      body: { documents: documents.map((_, index) => ({ text: textOf(name, index, 0) })) },
    }),
  )
  documents.forEach((document, index) => {
    document.id ??= ids[index]!
    if (document.id !== ids[index]) throw new Error(`${name} was answered with other ids.`)
  })
}

/** A repeated Idempotency-Key changes nothing. */
export async function repeatUpsert({ client, notebook, random, owner }: Worker): Promise<void> {
  const keyed = notebook
    .upsertsOf(owner)
    .filter(({ key, documents }) => key !== undefined && documents.some(isThere))
  if (keyed.length > 0) await sendUpsert(client, random.pick(keyed))
}

export async function updateDocument(worker: Worker): Promise<void> {
  const picked = pickDocument(worker)
  if (!picked) return
  const { upsert, document, index } = picked
  const version = document.version.known! + 1
  const body = { id: document.id!, text: textOf(upsert.name, index, version) }
  const path = { datastoreId: upsert.datastore.id! }
  await document.version.change(version, async () => {
    await answerOf(sdk.updateDatasource({ client: worker.client, path, body }))
  })
}

export async function deleteDocument(worker: Worker): Promise<void> {
  const picked = pickDocument(worker)
  if (!picked) return
  const { upsert, document } = picked
  const path = { id: upsert.datastore.id!, datasourceId: document.id! }
  await document.version.change(undefined, async () => {
    await answerOf(sdk.deleteDatasource({ client: worker.client, path }))
  })
  if (!upsert.documents.some(isThere)) worker.notebook.forget(upsert)
}

const isThere = ({ version }: DocumentNote): boolean => version.known !== undefined

function pickDocument({ notebook, random, owner }: Worker) {
  const all = notebook
    .upsertsOf(owner)
    .flatMap((upsert) => upsert.documents.map((document, index) => ({ upsert, document, index })))
    .filter(({ document }) => isThere(document))
  return all.length > 0 ? random.pick(all) : undefined
}
