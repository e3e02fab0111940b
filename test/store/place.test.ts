import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { checkedClient, temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { canTrace } from '../support/strace.ts'
import { makeDatastore, makeKey, query, upsert } from '../support/things.ts'

const works = (command: string, ...options: string[]): boolean =>
  spawnSync(command, options).status === 0

const canMount = works('unshare', '-rm', 'mount', '-t', 'tmpfs', 'none', '/tmp')
if (!canMount) console.warn('No disk can be mounted here: some tests do not run.')

/** A disk of its own for one server, of so many MiB; others do not see it. */
const onDisk = (mebibytes: number, directory: string): string[] => {
  const mount = `mount -t tmpfs -o size=${mebibytes}m none ${directory} && exec "$@"`
  return ['unshare', '-rm', 'sh', '-c', mount, 'sh']
}

test.skipIf(!canMount)('a disk without room stops the start with a clear message', async () => {
  const directory = await temporaryDirectory()
  await expect(
    spawnServer({ DATA_URI: directory }, { wrapper: onDisk(12, directory) }),
  ).rejects.toThrow(
    `DATA_URI ${directory} is on a disk with 12 MiB left; a store needs 16. Make room.`,
  )
})

test.skipIf(!canTrace)(
  'a place without hard links stops the start with a clear message',
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

/** A disk that outlives servers: the command that runs something with it. */
async function keepDisk(mebibytes: number, directory: string): Promise<string[]> {
  const [command = '', ...options] = onDisk(mebibytes, directory)
  const holder = spawn(command, [...options, 'sh', '-c', 'echo mounted; exec sleep 600'])
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  return ['nsenter', '-t', String(holder.pid), '-m', '-U', '--preserve-credentials', '--']
}

test.skipIf(!canMount)(
  'where a disk fills up writes are refused, nothing is lost, and deletes make room, also after a restart',
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
      .poll(async () => (await write(again, 1)).response?.status, { interval: 1000 })
      .toBe(200)
  },
)

test('the check of a place leaves nothing behind', async () => {
  const directory = join(await temporaryDirectory(), 'made', 'when', 'missing')
  const server = await spawnServer({ DATA_URI: directory, INITIAL_KEY: testKey })
  await server.kill('SIGTERM')
  const names = await readdir(directory)
  expect(names.filter((name) => !name.endsWith('.lance'))).toEqual(['owner.lock'])
})

test('a lock file that is none stops the start, and is named', async () => {
  const directory = await temporaryDirectory()
  await writeFile(join(directory, 'owner.lock'), 'This is no lock. '.repeat(100))
  await expect(spawnServer({ DATA_URI: directory })).rejects.toThrow(
    `${join(directory, 'owner.lock')} cannot be locked. It holds nothing: remove it.`,
  )
})
