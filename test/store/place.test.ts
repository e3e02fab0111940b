import { spawnSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { checkedClient, temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { canTrace } from '../support/strace.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const works = (command: string, ...options: string[]): boolean =>
  spawnSync(command, options).status === 0

const canMount = works('unshare', '-rm', 'true')
if (!canMount && process.env.CI) throw new Error('CI needs the right to mount, as root has.')
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

test.skipIf(!canMount)(
  'where a disk fills up writes are refused, all that was acknowledged is there, and deletes work',
  async () => {
    const directory = await temporaryDirectory()
    const server = await spawnServer(
      { DATA_URI: directory, INITIAL_KEY: testKey },
      { wrapper: onDisk(84, directory) },
    )
    try {
      const client = checkedClient(server.url)
      const id = await makeDatastore(client)
      const kept = [...(await upsert(client, id, 'The first text.'))]
      const text = (n: number) => `Text ${n} fills the disk. `.repeat(2000)
      const body = (n: number) => ({ documents: [{ text: text(n) }, { text: text(-n) }] })
      let refused
      for (let n = 1; refused === undefined; n++) {
        const path = { datastoreId: id }
        const { data, error } = await sdk.upsertDocuments({ client, path, body: body(n) })
        kept.push(...(data?.ids ?? []))
        refused = error
      }
      expect(refused.code).toBe('storage_full')
      const counted = await sdk.getDatastore({ client, path: { id } })
      expect(counted.data?.datasourceCount).toBe(kept.length)
      expect((await query(client, id, { query: 'the first text' }))[0]?.text).toBe(
        'The first text.',
      )

      for (const datasourceId of kept.slice(1)) {
        const path = { id, datasourceId }
        expect((await sdk.deleteDatasource({ client, path })).response?.status).toBe(200)
      }
      expect((await sdk.getDatastore({ client, path: { id } })).data?.datasourceCount).toBe(1)
    } finally {
      await server.kill('SIGKILL')
    }
  },
)

test('the check of a place leaves nothing behind', async () => {
  const directory = join(await temporaryDirectory(), 'made', 'when', 'missing')
  const server = await spawnServer({ DATA_URI: directory, INITIAL_KEY: testKey })
  await server.kill('SIGTERM')
  const names = await readdir(directory)
  expect(names.filter((name) => !name.endsWith('.lance'))).toEqual(['owner.lock'])
})
