import { type FileHandle, open, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { QueryMode } from '../../generated/types.gen.ts'
import { DiskFailed, FolderSync } from '../../src/store/disk/folder-sync.ts'
import { startServer, temporaryDirectory } from '../support/server.ts'
import { makeAgent, makeDatastore, makeKey, query, upsert } from '../support/things.ts'

afterEach(() => vi.restoreAllMocks())

const { sync } = FolderSync.prototype
const dataUri = await temporaryDirectory()
const { client } = await startServer({ dataUri })

/** Has `first` done before each sync of a store, and of no other: one that closed may still be at work. */
function beforeSyncs(directory: string, first: () => Promise<void>): void {
  vi.spyOn(FolderSync.prototype, 'sync').mockImplementation(async function (this: FolderSync) {
    if (this.directory.startsWith(directory)) await first()
    return sync.call(this)
  })
}

/** Every sync waits until it is let go. */
function slowDisk(): { letGo: () => void; began: () => number } {
  const held = Promise.withResolvers<void>()
  let began = 0
  beforeSyncs(dataUri, () => {
    began += 1
    return held.promise
  })
  return { letGo: held.resolve, began: () => began }
}

/** The next sync fails. */
function failOnce(directory: string, error: Error): void {
  let isDue = true
  beforeSyncs(directory, async () => {
    if (!isDue) return
    isDue = false
    throw error
  })
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

test('an upsert, and its repetition, is answered only once the disk has it', async () => {
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

test('a second revocation of a key is answered only once the disk has the first', async () => {
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
  failOnce(dataUri, Object.assign(new Error('too many open files'), { code: 'EMFILE' }))
  const body = { documents: [{ text: 'Text.' }] }
  const failed = await sdk.upsertDocuments({ client, path: { datastoreId: id }, body })
  expect(failed.response?.status).toBe(500)
  expect(await upsert(client, id, 'Another text.')).toHaveLength(1)
  expect((await sdk.getReadiness({ client })).response?.status).toBe(200)
})

test('a disk that fails closes the store for writes, and the server says that it is not ready', async () => {
  const directory = await temporaryDirectory()
  const server = await startServer({ dataUri: directory })
  const id = await makeDatastore(server.client)
  await upsert(server.client, id, 'The first text.')
  const agentId = (await makeAgent(server.client)).id
  failOnce(directory, new DiskFailed(new Error('EIO')))
  const write = async () => {
    const body = { documents: [{ text: 'Text.' }] }
    const path = { datastoreId: id }
    return (await sdk.upsertDocuments({ client: server.client, path, body })).response?.status
  }
  expect([await write(), await write()]).toEqual([500, 503])
  const agent = { name: 'a', description: 'b' }
  const created = await sdk.createAgent({ client: server.client, body: agent })
  expect([created.response?.status, created.error?.code]).toEqual([503, 'unavailable'])
  expect((await sdk.getReadiness({ client: server.client })).response?.status).toBe(503)
  expect(server.logged.filter(({ msg }) => /its disk failed/.test(String(msg)))).toHaveLength(1)
  const asked = []
  for (const store of [true, false]) {
    const path = { id: agentId }
    const body = { query: 'What is first?', store }
    asked.push((await sdk.queryAgent({ client: server.client, path, body })).response?.status)
  }
  expect(asked).toEqual([503, 200])
  const { data } = await sdk.getDatastore({ client: server.client, path: { id } })
  expect(data?.id).toBe(id)
})

test('what a disk that fails has kept is still found, in every mode', async () => {
  const directory = await temporaryDirectory()
  const server = await startServer({ dataUri: directory })
  const [asked, unasked] = [await makeDatastore(server.client), await makeDatastore(server.client)]
  for (const id of [asked, unasked]) await upsert(server.client, id, 'Bees make honey.')
  await query(server.client, asked, { query: 'bees' })
  failOnce(directory, new DiskFailed(new Error('EIO')))
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
  await new FolderSync(directory).sync()
  await symlink(join(directory, 'loop'), join(directory, 'loop'))
  await expect(new FolderSync(directory).sync()).rejects.toMatchObject({ code: 'ELOOP' })
})

test('what the disk failed to keep once is never said to be kept, by any sync', async () => {
  const directory = await temporaryDirectory()
  for (const name of ['one', 'other']) await writeFile(join(directory, name), name)
  await failSyncOnce(join(directory, 'one'))
  const durability = new FolderSync(directory)
  // Either may be told first.
  await Promise.all([
    expect(durability.sync()).rejects.toThrow(DiskFailed),
    expect(durability.sync()).rejects.toThrow(DiskFailed),
  ])
  await expect(durability.sync()).rejects.toThrow(DiskFailed)
})

/** The next time that a file is put on the disk that fails. */
async function failSyncOnce(path: string): Promise<void> {
  const file = await open(path, 'r')
  const prototype: FileHandle = Object.getPrototypeOf(file)
  const { ino } = await file.stat()
  await file.close()
  const syncFile = prototype.sync
  let isDue = true
  vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    const isMeant = (await this.stat()).ino === ino
    if (!isMeant || !isDue) return syncFile.call(this)
    isDue = false
    throw Object.assign(new Error('I/O error'), { code: 'EIO' })
  })
}
