import { expect } from 'vitest'
import type { Client } from '../../../generated/client/index.ts'
import * as sdk from '../../../generated/sdk.gen.ts'
import type { Datasource } from '../../../generated/types.gen.ts'
import { type Answer, answerOf, expectAnswer, ok } from './answer.ts'
import { conditionsOf } from './embedding.ts'
import { expectList } from './lists.ts'
import { expectWords } from './queries.ts'
import { type Shelf, shownWhole, shownShelf, shownSummary, type Write } from './shelf.ts'
import { wireOf } from './values.ts'
import { ownOf, type Who, type World } from './world.ts'

/** Sends a write. */
export function send(
  client: Client,
  id: string,
  write: Write,
  signal?: AbortSignal,
): Promise<Answer> {
  const path = { datastoreId: id }
  if (write.kind === 'delete') {
    const datasource = { id, datasourceId: write.id }
    return answerOf(sdk.deleteDatasource({ client, path: datasource }))
  }
  if (write.kind === 'update') {
    const body = { id: write.id, ...wireOf(write.document) }
    return answerOf(sdk.updateDatasource({ client, path, body }))
  }
  const { key, documents } = write
  const headers = key === undefined ? {} : { 'Idempotency-Key': key }
  const body = { documents: documents.map(wireOf) }
  return answerOf(sdk.upsertDocuments({ client, path, headers, body, ...(signal && { signal }) }))
}

/** Reads what was written, all but its times, and notes those; a list tells the order. */
export async function readBack(world: World, shelf: Shelf): Promise<void> {
  const client = world.client(shelf.who)
  for (const kept of shelf.documents.filter(({ updatedAt }) => updatedAt === '')) {
    const path = { id: shelf.id, datasourceId: kept.id }
    const answer = await answerOf(sdk.getDatasource({ client, path }))
    const { createdAt, updatedAt } = answer.body as Datasource
    const made = kept.createdAt === ''
    if (made) kept.createdAt = createdAt
    kept.updatedAt = updatedAt
    expectAnswer(answer, ok(shownWhole(kept)))
    // One made and changed in the same group may have been changed since.
    expect(updatedAt >= kept.createdAt && (made || updatedAt > kept.createdAt)).toBe(true)
  }
  shelf.documents.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

/** Oldest first. */
const placeOf = ({ createdAt, id }: { createdAt: string; id: string }): string => createdAt + id

export function expectDatasources(
  world: World,
  shelf: Shelf,
  size: number,
  source?: string,
): Promise<void> {
  const all = shelf.documents.map(shownSummary)
  return expectList(
    (paging) =>
      sdk.listDatasources({
        client: world.client(shelf.who),
        path: { id: shelf.id },
        query: { ...paging, ...(source !== undefined && { source }) },
      }),
    size,
    source === undefined ? all : all.filter((summary) => summary.source === source),
  )
}

/** Everything that is known of a datastore, against what the service tells of it. */
export async function expectShelf(world: World, shelf: Shelf): Promise<void> {
  const client = world.client(shelf.who)
  const { id } = shelf
  expectAnswer(await answerOf(sdk.getDatastore({ client, path: { id } })), ok(shownShelf(shelf)))
  await expectDatasources(world, shelf, 100)
  await expectWords(world, shelf)
  await Promise.all(
    shelf.documents.map(async (kept) => {
      const path = { id, datasourceId: kept.id }
      expectAnswer(await answerOf(sdk.getDatasource({ client, path })), ok(shownWhole(kept)))
    }),
  )
}

/** A datastore that the embedder the server runs with can write to. */
export function usable(world: World, asker: Who, n: number): Shelf | undefined {
  const { model } = conditionsOf(world, false)
  const shelves = ownOf(world.shelves, asker).filter((one) => one.shown.embeddingModel === model)
  return shelves[n % shelves.length]
}
