import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { canMount, keepDisk, onDisk } from '../support/mounted-disk.ts'
import { refusalOf } from '../support/refused-start.ts'
import { checkedClient, openServer, temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { canTrace } from '../support/strace.ts'
import { makeDatastore, makeKey, query, upsert } from '../support/things.ts'

test.skipIf(!canMount)(
  'a disk without room stops the start with a clear message',
  { tags: 'deep' },
  async () => {
    const directory = await temporaryDirectory()
    await expect(
      spawnServer({ DATA_URI: directory }, { wrapper: onDisk(12, directory) }),
    ).rejects.toThrow(
      `DATA_URI ${directory} is on a disk with 12 MiB left; a store needs 16. Make room.`,
    )
  },
)

test.skipIf(!canTrace)(
  'a place without hard links stops the start with a clear message',
  { tags: 'deep' },
  async () => {
    const directory = await temporaryDirectory()
    const refuseLinks = 'inject=link,linkat:error=EPERM'
    const wrapper = [
      'strace',
      '-f',
      '-o',
      '/dev/null',
      '-e',
      'trace=link,linkat',
      '-e',
      refuseLinks,
    ]
    await expect(spawnServer({ DATA_URI: directory }, { wrapper })).rejects.toThrow(
      /DATA_URI .* without hard links/,
    )
    expect(await readdir(directory)).toEqual(['owner.lock'])
  },
)

test.skipIf(!canMount)(
  'where a disk fills up writes are refused, nothing is lost, and deletes make room, also after a restart',
  { tags: 'deep' },
  async () => {
    const directory = await temporaryDirectory()
    const wrapper = await keepDisk(80, directory)
    const start = () => spawnServer({ DATA_URI: directory, INITIAL_KEY: testKey }, { wrapper })
    const server = await start()
    const client = checkedClient(server.url)
    const [id, key] = await Promise.all([makeDatastore(client), makeKey(client)])
    const kept = [...(await upsert(client, id, 'The first text.'))]
    // Few and large, so that they are fewer than those after which there is maintenance anyway.
    const text = (n: number) => `Text ${n} fills the disk. `.repeat(40_000)
    const write = async (to: typeof client, n: number) => {
      const body = { documents: [{ text: text(n) }] }
      return sdk.upsertDocuments({ client: to, path: { datastoreId: id }, body })
    }
    for (let n = 1, refusals = 0; refusals < 3; n++) {
      const { data, error } = await write(client, n)
      kept.push(...(data?.ids ?? []))
      refusals = error ? refusals + 1 : 0
      if (error) expect(error.code).toBe('storage_full')
    }
    expect(kept.length).toBeLessThan(16)
    const counted = await sdk.getDatastore({ client, path: { id } })
    expect(counted.data?.datasourceCount).toBe(kept.length)
    const revoked = await sdk.revokeKey({ client, path: { id: key.id } })
    expect(revoked.response?.status).toBe(200)
    await server.kill('SIGKILL')

    const next = await start()
    onTestFinished(() => next.kill('SIGKILL'))
    const again = checkedClient(next.url)
    expect((await query(again, id, { query: 'the first text' }))[0]?.text).toBe('The first text.')
    for (const datasourceId of kept.slice(1)) {
      const path = { id, datasourceId }
      expect((await sdk.deleteDatasource({ client: again, path })).response?.status).toBe(200)
    }
    expect((await sdk.getDatastore({ client: again, path: { id } })).data?.datasourceCount).toBe(1)
    // Deleting the files goes on after the answer.
    await expect
      .poll(async () => (await write(again, 1)).response?.status, { interval: 100 })
      .toBe(200)
  },
)

test('the check of a place leaves nothing behind', async () => {
  const directory = join(await temporaryDirectory(), 'made', 'when', 'missing')
  await (await openServer({ dataUri: directory })).close()
  const names = await readdir(directory)
  expect(names.filter((name) => !name.endsWith('.lance'))).toEqual(['owner.lock', 'reserve'])
})

test('a directory with files of others is named, and one of its own is not', async () => {
  const directory = await temporaryDirectory()
  await Promise.all(['a.txt', '.hidden', 'b'].map((name) => writeFile(join(directory, name), '')))
  await mkdir(join(directory, 'lost+found'))
  const warned = async () => {
    const { client, close, logged } = await openServer({ dataUri: directory })
    await upsert(client, await makeDatastore(client), 'The library opens at nine.')
    await close()
    return logged.filter(({ level }) => level === 40)
  }
  expect(await warned()).toEqual([
    expect.objectContaining({ directory, files: ['a.txt', 'b'], count: 2 }),
  ])
  await Promise.all(['a.txt', 'b'].map((name) => rm(join(directory, name))))
  expect(await warned()).toEqual([])
})

test('a lock file that is none stops the start, and is named', async () => {
  const directory = await temporaryDirectory()
  await writeFile(join(directory, 'owner.lock'), 'This is no lock. '.repeat(100))
  expect(await refusalOf({ DATA_URI: directory })).toBe(
    `${join(directory, 'owner.lock')} cannot be locked. It holds nothing: remove it.`,
  )
})

test.each([
  ['/proc/x', 'no directory can be made there'],
  ['/proc/self/made/there', 'no directory can be made there'],
  ['/dev/null', 'a file stands in its place'],
  [`${import.meta.filename}/below`, 'a file stands in its place, or above it'],
  ['~/x', 'which only a shell replaces'],
  ['~', 'which only a shell replaces'],
  ['az://c/x', 'AZURE_STORAGE_ACCOUNT_NAME and its key are not set'],
])('DATA_URI %s is refused: %s', async (DATA_URI, reason) => {
  expect(await refusalOf({ DATA_URI })).toContain(reason)
})

// They wait for each other's retries.
test.concurrent.each([
  ['s3://b/x', { AWS_ENDPOINT: 'http://127.0.0.1:1', AWS_ALLOW_HTTP: 'true' }],
  ['az://c/x', { AZURE_STORAGE_ENDPOINT: 'http://127.0.0.1:1', AZURE_STORAGE_ALLOW_HTTP: 'true' }],
])(
  '%s that cannot be reached is named so, without a secret',
  { tags: 'deep' },
  async (DATA_URI, endpoint) => {
    const secret = Buffer.from('a secret of the tests').toString('base64')
    const settings = {
      ...endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: secret,
      AZURE_STORAGE_ACCOUNT_NAME: 'account',
      AZURE_STORAGE_ACCOUNT_KEY: secret,
      LANCEDB_LOG: 'off',
    }
    // LanceDB reads them from the process, once.
    const { message } = await spawnServer({ DATA_URI, ...settings }).then(
      () => new Error('It started.'),
      (error: Error) => error,
    )
    expect(message).toMatch(/^DATA_URI \S+ cannot be opened: it cannot be reached[^\n]*\n$/)
    expect(message).not.toContain(secret)
  },
)

test('an object store needs a temporary folder, which is named', async () => {
  vi.stubEnv('TMPDIR', '/proc/none')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await refusalOf({ DATA_URI: 'az://c/x' })).toContain(
    'TMPDIR /proc/none must be a directory',
  )
})

test(
  'a directory needs no temporary folder, and what a kill left there the next start removes',
  { tags: 'deep' },
  async () => {
    const directory = await temporaryDirectory()
    const scratch = join(directory, 'scratch')
    const settings = { DATA_URI: directory, INITIAL_KEY: testKey, TMPDIR: '/proc/none' }
    const server = await spawnServer(settings)
    onTestFinished(() => server.kill('SIGKILL'))
    const client = checkedClient(server.url)
    const id = await makeDatastore(client)
    await upsert(client, id, ...Array.from({ length: 200 }, (_, n) => `Text ${n}.`))
    expect((await query(client, id, { query: 'text' })).length).toBe(5)
    await writeFile(join(scratch, 'left'), '')
    await server.kill('SIGKILL')
    const last = await spawnServer(settings)
    expect(await readdir(scratch)).not.toContain('left')
    await last.kill('SIGTERM')
    expect(await readdir(directory)).not.toContain('scratch')
  },
)
