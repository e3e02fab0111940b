import { splitText } from '../../../src/text/splitting/split-text.ts'
import { type Answer, type Expected, notFound, ok } from './answer.ts'
import { metadataCases, type Sent, textOf, wireOf } from './values.ts'
import type { Owned } from './world.ts'

/** The model of a datastore. */
export type Shelf = Owned & {
  shown: {
    name: string
    embeddingModel: string
    dimensions: number
    fragmentLength: number
    createdAt: string
  }
  documents: Kept[]
}

/** The model of a datasource; its times are empty until they have been read. */
export type Kept = {
  id: string
  text: string
  name: string
  metadata: number
  createdAt: string
  updatedAt: string
  /** What each fragment was embedded as: a provider is not asked again for an unchanged one. */
  embedded: ReadonlyMap<string, string>
  /** The keyed upsert that made it. */
  origin?: { key: string; body: string; ids: string[] }
}

export type Write =
  | { kind: 'upsert'; documents: Sent[]; key?: string }
  | { kind: 'update'; id: string; document: Sent }
  | { kind: 'delete'; id: string }

/** What the server runs with, and whether its provider refuses to embed. */
export type Conditions = { model: string; isModel: boolean; fails: boolean }

export const shownShelf = ({ id, shown, documents }: Shelf) => ({
  id,
  ...shown,
  datasourceCount: documents.length,
  fragmentCount: documents.reduce((sum, { text }) => sum + fragmentsOf(text).length, 0),
})

export const shownSummary = ({ id, text, name, metadata, createdAt, updatedAt }: Kept) => ({
  id,
  key: null,
  name,
  metadata: metadataCases[metadata]!.metadata,
  source: metadataCases[metadata]!.source,
  fragmentCount: fragmentsOf(text).length,
  createdAt,
  updatedAt,
})

export const shownWhole = (kept: Kept) => ({ ...shownSummary(kept), text: kept.text })

export function fragmentsOf(text: string): string[] {
  const known = split.get(text)
  if (known) return known
  const fragments = Array.from(splitText(text), ({ start, end }) => text.slice(start, end))
  split.set(text, fragments)
  return fragments
}

const split = new Map<string, string[]>()

/** What a fragment is found by: its text below the name of its document. */
export const inputOf = (name: string, fragment: string): string =>
  name === '' ? fragment.trim() : `${name}\n${fragment.trim()}`

const embeddedAs = (
  name: string,
  text: string,
  known: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> =>
  new Map(
    fragmentsOf(text).map((fragment) => [fragment, known.get(fragment) ?? inputOf(name, fragment)]),
  )

/**
 * Does to the model what the write does to the service, and says what that must have answered. The
 * ids that the service made are taken from what it did answer.
 */
export function perform(
  shelf: Shelf,
  write: Write,
  conditions: Conditions,
  answer: Answer,
): Expected {
  if (write.kind === 'upsert') return upsert(shelf, write, conditions, answer)
  const { id } = write
  const kept = shelf.documents.find((document) => document.id === id)
  if (!kept) return notFound('datasource', id)
  if (write.kind === 'delete') {
    shelf.documents.splice(shelf.documents.indexOf(kept), 1)
    return ok(shownWhole(kept))
  }
  const { text, name = kept.name, metadata = kept.metadata } = write.document
  const known = new Set(fragmentsOf(kept.text))
  const isNew = fragmentsOf(textOf(text)).some((fragment) => !known.has(fragment))
  const refusal = refusalOf(shelf, conditions, isNew)
  if (refusal) return refusal
  const paid = conditions.isModel ? kept.embedded : undefined
  const embedded = embeddedAs(name, textOf(text), paid)
  Object.assign(kept, { text: textOf(text), name, metadata, updatedAt: '', embedded })
  return ok({ id })
}

function upsert(
  shelf: Shelf,
  { documents, key }: Write & { kind: 'upsert' },
  conditions: Conditions,
  answer: Answer,
): Expected {
  const body = JSON.stringify(documents.map(normalised))
  const first = key === undefined ? undefined : originOf(shelf, key)
  if (documents.length === 0) return first ? mismatch : ok({ ids: [] })
  // A provider is paid: the built-in embedder works before it is known whether it must.
  const refusal = refusalOf(shelf, conditions, true)
  if (refusal && !(first && conditions.isModel)) return refusal
  if (first) return first.body === body ? ok({ ids: first.ids }) : mismatch
  const { ids = [] } = (answer.body ?? {}) as { ids?: string[] }
  const taken = new Set(shelf.documents.map(({ id }) => id))
  if (ids.length !== documents.length || ids.some((id) => taken.has(id))) {
    return ok({ ids: documents.map(() => 'a new id') })
  }
  documents.forEach(({ text, name = '', metadata = 0 }, index) => {
    const times = { createdAt: '', updatedAt: '', embedded: embeddedAs(name, textOf(text)) }
    const origin = key === undefined ? {} : { origin: { key, body, ids } }
    const id = ids[index]!
    shelf.documents.push({ id, text: textOf(text), name, metadata, ...times, ...origin })
  })
  return ok({ ids })
}

/** A key is known for as long as one of the documents it made is there. */
export const originOf = ({ documents }: Shelf, key: string) =>
  documents.find(({ origin }) => origin?.key === key)?.origin

function normalised(document: Sent): unknown {
  const { text, name = '', metadata = null } = wireOf(document)
  return [text, name, metadata]
}

const mismatch: Expected = {
  code: 'idempotency_mismatch',
  detail: 'This Idempotency-Key was used in this datastore for other documents.',
}

/** Why nothing can be embedded for a datastore; `isNeeded` when something has to be. */
export function refusalOf(
  { id, shown }: Shelf,
  { model, isModel, fails }: Conditions,
  isNeeded: boolean,
  isWrite = true,
): Expected | undefined {
  const { name, embeddingModel, dimensions } = shown
  if (embeddingModel !== model) {
    const wanted = `${embeddingModel} with ${dimensions} dimensions`
    const detail = `The datastore "${name}" (${id}) needs the embedder ${wanted}; the server runs with ${model}. Queries by keyword still work.`
    return { code: 'embedding_model_mismatch', detail }
  }
  if (!fails || !isModel || !isNeeded) return undefined
  const detail = `The embedding provider answered 403.${isWrite ? ' Nothing was stored.' : ''}`
  return { code: 'embedding_failed', detail }
}
