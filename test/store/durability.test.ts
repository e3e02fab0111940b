import { open, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { QueryMode } from '../../generated/types.gen.ts'
import { DiskFailed, Durability } from '../../src/store/durability.ts'
import { startServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, makeKey, query, upsert } from '../support/things.ts'

/** Real syncs on a disk that is slow, or fails, when it is told to. */
const { sync } = Durability.prototype
afterEach(() => vi.restoreAllMocks())

const { client } = await startServer()

/** Every sync waits until it is let go. */
function slowDisk(): { letGo: () => void; began: () => number } {
  const held = Promise.withResolvers<void>()
  const spy = vi.spyOn(Durability.prototype, 'sync').mockImplementation(async function (
    this: Durability,
  ) {
    await held.promise
    return sync.call(this)
  })
  return { letGo: held.resolve, began: () => spy.mock.calls.length }
}

/** Whether a promise has settled once everything else that was due has been done. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  void promise.finally(() => (settled = true))
  // An answer from memory takes no longer than this one, which needs the store.
  await sdk.listAgents({ client, throwOnError: true })
  await sdk.listAgents({ client, throwOnError: true })
  return settled
}

test('nobody is told before the disk has it: not who repeats an upsert either', async () => {
  const datastoreId = await makeDatastore(client)
  const request = () =>
    sdk.upsertDocuments({
      client,
      path: { datastoreId },
      headers: { 'Idempotency-Key': 'k' },
      body: { documents: [{ text: 'Text.' }] },
    })
  const disk = slowDisk()
  const first = request()
  await expect.poll(disk.began).toBe(1)
  const second = request()
  expect(await isSettled(Promise.race([first, second]))).toBe(false)
  disk.letGo()
  const answers = await Promise.all([first, second])
  expect(answers.map(({ data }) => data?.ids)).toEqual([expect.any(Array), answers[0]?.data?.ids])
})

test('nor who revokes a key that another is about to have revoked', async () => {
  const { id } = await makeKey(client)
  const revoke = () => sdk.revokeKey({ client, path: { id } })
  const disk = slowDisk()
  const first = revoke()
  await expect.poll(disk.began).toBe(1)
  const second = revoke()
  expect(await isSettled(Promise.race([first, second]))).toBe(false)
  disk.letGo()
  expect((await Promise.all([first, second])).map(({ response }) => response?.status)).toEqual([
    200, 200,
  ])
})

test('a sync that could not be begun is made up for by the next', async () => {
  const id = await makeDatastore(client)
  vi.spyOn(Durability.prototype, 'sync').mockRejectedValueOnce(
    Object.assign(new Error('too many open files'), { code: 'EMFILE' }),
  )
  const body = { documents: [{ text: 'Text.' }] }
  const failed = await sdk.upsertDocuments({ client, path: { datastoreId: id }, body })
  expect(failed.response?.status).toBe(500)
  expect(await upsert(client, id, 'Another text.')).toHaveLength(1)
  expect((await sdk.getReadiness({ client })).response?.status).toBe(200)
})

test('a disk that fails closes the store for writes, and the server says that it is not ready', async () => {
  const server = await startServer()
  const id = await makeDatastore(server.client)
  await upsert(server.client, id, 'The first text.')
  vi.spyOn(Durability.prototype, 'sync').mockRejectedValueOnce(new DiskFailed(new Error('EIO')))
  const write = async () => {
    const body = { documents: [{ text: 'Text.' }] }
    const path = { datastoreId: id }
    return (await sdk.upsertDocuments({ client: server.client, path, body })).response?.status
  }
  expect([await write(), await write()]).toEqual([500, 500])
  const agent = { name: 'a', description: 'b' }
  const created = await sdk.createAgent({ client: server.client, body: agent })
  expect(created.response?.status).toBe(500)
  expect((await sdk.getReadiness({ client: server.client })).response?.status).toBe(503)
  expect(server.logged.filter(({ msg }) => /its disk failed/.test(String(msg)))).toHaveLength(1)
  const { data } = await sdk.getDatastore({ client: server.client, path: { id } })
  expect(data?.id).toBe(id)
})

test('what a disk that fails has kept is still found, in every mode', async () => {
  const server = await startServer()
  const [asked, unasked] = [await makeDatastore(server.client), await makeDatastore(server.client)]
  for (const id of [asked, unasked]) await upsert(server.client, id, 'Bees make honey.')
  await query(server.client, asked, { query: 'bees' })
  vi.spyOn(Durability.prototype, 'sync').mockRejectedValueOnce(new DiskFailed(new Error('EIO')))
  for (let n = 0; n < 2; n++) {
    const body = { documents: [{ text: 'Text.' }] }
    const path = { datastoreId: asked }
    await sdk.upsertDocuments({ client: server.client, path, body })
    for (const id of [asked, unasked]) {
      for (const mode of Object.values(QueryMode)) {
        const [best] = await query(server.client, id, { query: 'bees', mode })
        expect(best?.text).toBe('Bees make honey.')
      }
    }
  }
})

test('a file that is gone when its turn comes is left out, any other fault is told', async () => {
  const directory = await temporaryDirectory()
  // A link to nothing is listed and cannot be opened, as a file that is deleted in between.
  await symlink(join(directory, 'nothing'), join(directory, 'gone'))
  await new Durability(directory).sync()
  await symlink(join(directory, 'loop'), join(directory, 'loop'))
  await expect(new Durability(directory).sync()).rejects.toMatchObject({ code: 'ELOOP' })
})

test('what the disk failed to keep once is never said to be kept, by any sync', async () => {
  const directory = await temporaryDirectory()
  for (const name of ['one', 'other']) await writeFile(join(directory, name), name)
  const file = await open(directory, 'r')
  await file.close()
  const failed = Object.assign(new Error('I/O error'), { code: 'EIO' })
  vi.spyOn(Object.getPrototypeOf(file), 'sync').mockRejectedValueOnce(failed)
  const durability = new Durability(directory)
  // Either may be told first.
  await Promise.all([
    expect(durability.sync()).rejects.toThrow(DiskFailed),
    expect(durability.sync()).rejects.toThrow(DiskFailed),
  ])
  await expect(durability.sync()).rejects.toThrow(DiskFailed)
})
