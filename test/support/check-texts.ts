import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { answerOf, pages } from './answers.ts'
import { sendUpsert } from './load-of-texts.ts'
import {
  type DatastoreNote,
  find,
  type WriteHistory,
  readText,
  type UpsertNote,
} from './write-history.ts'

/** Documents that were found, by the place they have in their upsert. */
type Found = Map<string, { id: string; version: number }>

/** Compares the documents of every datastore with what was acknowledged, and repeats upserts. */
export async function checkTexts(
  client: Client,
  history: WriteHistory,
  faults: string[],
): Promise<void> {
  for (const datastore of history.datastores) {
    const { found, wrong } = await readAll(client, datastore)
    faults.push(...wrong)
    for (const upsert of history.upserts.filter((note) => note.datastore === datastore)) {
      faults.push(...inspectUpsert(upsert, found))
      if (upsert.key !== undefined) await repeat(client, upsert)
      if (!upsert.documents.some((document) => isExpected(upsert, document))) {
        history.forget(upsert)
      }
    }
    for (const place of found.keys()) faults.push(`document ${place}: came back`)
    faults.push(...(await inspectCounts(client, history, datastore)))
  }
}

/** All documents of a datastore; one that is not whole is a fault. */
async function readAll(client: Client, { id, name }: DatastoreNote) {
  const path = { id: id! }
  const heads = await pages((query) => sdk.listDatasources({ client, path, query }))
  const found: Found = new Map()
  const wrong: string[] = []
  for (const head of heads) {
    const ids = { id: id!, datasourceId: head.id }
    const { text, fragmentCount } = await answerOf(sdk.getDatasource({ client, path: ids }))
    const read = readText(text)
    if (!read) wrong.push(`document ${head.id} of ${name}: not whole, ${text.slice(0, 60)}`)
    if (fragmentCount !== head.fragmentCount) wrong.push(`document ${head.id}: counts differ`)
    if (read && found.has(read.place)) wrong.push(`document ${read.place}: there twice`)
    if (read) found.set(read.place, { id: head.id, version: read.version })
  }
  return { found, wrong }
}

/** Takes an upsert's documents from those that were found. */
function inspectUpsert({ name, isStored, documents }: UpsertNote, found: Found): string[] {
  const there = documents.map((_, index) => {
    const document = found.get(`${name}/${index}`)
    found.delete(`${name}/${index}`)
    return document
  })
  if (isStored.isOpen) {
    const count = there.filter(Boolean).length
    isStored.find(count > 0 ? true : undefined)
    if (count === 0) return []
  }
  return documents.flatMap((document, index) => {
    const wrong = find(document.version, there[index]?.version)
    const id = there[index]?.id
    document.id ??= id
    const isOther = id !== undefined && document.id !== id
    return [
      ...(wrong === undefined ? [] : [`document ${name}/${index}: ${wrong}`]),
      ...(isOther ? [`document ${name}/${index}: another id`] : []),
    ]
  })
}

/** As the client would that had no answer: then it is stored, once and under the same ids. */
async function repeat(client: Client, upsert: UpsertNote): Promise<void> {
  const isGone =
    upsert.isStored.known && !upsert.documents.some(({ version }) => version.known !== undefined)
  if (isGone) return
  await upsert.isStored.change(true, () => sendUpsert(client, upsert))
}

/** Rows too are as many as the documents say, also after the repeated upserts. */
async function inspectCounts(
  client: Client,
  history: WriteHistory,
  { id, name }: DatastoreNote,
): Promise<string[]> {
  const path = { id: id! }
  const heads = await pages((query) => sdk.listDatasources({ client, path, query }))
  const fragments = heads.reduce((sum, { fragmentCount }) => sum + fragmentCount, 0)
  const documents = history.upserts
    .filter((upsert) => upsert.datastore.name === name)
    .flatMap((upsert) => upsert.documents.filter((document) => isExpected(upsert, document)))
  const counted = await answerOf(sdk.getDatastore({ client, path }))
  // A word of every text: the shortest have no other in common.
  const body = { query: 'version' }
  const hits = await answerOf(sdk.queryDatastore({ client, path, body }))
  return [
    ...(counted.fragmentCount === fragments ? [] : [`datastore ${name}: half documents`]),
    ...(counted.datasourceCount === documents.length ? [] : [`datastore ${name}: wrong count`]),
    ...(hits.length > 0 || fragments === 0 ? [] : [`datastore ${name}: finds nothing`]),
  ]
}

const isExpected = (
  { isStored }: UpsertNote,
  { version }: UpsertNote['documents'][number],
): boolean => isStored.known === true && version.known !== undefined
