import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { answerOf } from './answers.ts'
import { type DocumentNote, Fact, textOf, type UpsertNote, type Writer } from './write-history.ts'

const mostUpserts = 6
const mostDocuments = 4

/** Adds documents; where the client has enough of them it deletes one instead. */
export async function upsertDocuments(writer: Writer): Promise<void> {
  const { client, history, random, owner } = writer
  if (history.upsertsOf(owner).length >= mostUpserts) return deleteDocument(writer)
  const there = history.datastores.filter(({ isThere }) => isThere.known)
  const usable = there.filter((datastore, n) => n === 0 || datastore.owner === owner)
  const name = history.newName()
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
  history.upserts.push(note)
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
export async function repeatUpsert({ client, history, random, owner }: Writer): Promise<void> {
  const keyed = history
    .upsertsOf(owner)
    .filter(({ key, documents }) => key !== undefined && documents.some(isThere))
  if (keyed.length > 0) await sendUpsert(client, random.pick(keyed))
}

export async function updateDocument(writer: Writer): Promise<void> {
  const picked = pickDocument(writer)
  if (!picked) return
  const { upsert, document, index } = picked
  const version = document.version.known! + 1
  const body = { id: document.id!, text: textOf(upsert.name, index, version) }
  const path = { datastoreId: upsert.datastore.id! }
  await document.version.change(version, async () => {
    await answerOf(sdk.updateDatasource({ client: writer.client, path, body }))
  })
}

export async function deleteDocument(writer: Writer): Promise<void> {
  const picked = pickDocument(writer)
  if (!picked) return
  const { upsert, document } = picked
  const path = { id: upsert.datastore.id!, datasourceId: document.id! }
  await document.version.change(undefined, async () => {
    await answerOf(sdk.deleteDatasource({ client: writer.client, path }))
  })
  if (!upsert.documents.some(isThere)) writer.history.forget(upsert)
}

const isThere = ({ version }: DocumentNote): boolean => version.known !== undefined

function pickDocument({ history, random, owner }: Writer) {
  const all = history
    .upsertsOf(owner)
    .flatMap((upsert) => upsert.documents.map((document, index) => ({ upsert, document, index })))
    .filter(({ document }) => isThere(document))
  return all.length > 0 ? random.pick(all) : undefined
}
