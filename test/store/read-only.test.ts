import { spawnSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { canMount, keepDisk } from '../support/mounted-disk.ts'
import { checkedClient, temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { makeAgent, makeDatastore, query, upsert } from '../support/things.ts'

test.skipIf(!canMount)(
  'on a file system that turns read-only writes are 503, queries go on, and a start says so in a line',
  { tags: 'deep' },
  async () => {
    const directory = await temporaryDirectory()
    const [command = '', ...within] = await keepDisk(200, directory)
    const run = (script: string) => {
      const options = [...within, 'sh', '-c', script, 'sh', directory]
      expect(spawnSync(command, options).status).toBe(0)
    }
    // What is open for writing keeps a file system from turning read-only, but not a second view of it.
    const close = () => run('mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"')
    const open = () => run('umount -l "$1"')
    const settings = { DATA_URI: directory, INITIAL_KEY: testKey }
    const start = () => spawnServer(settings, { wrapper: [command, ...within] })
    const server = await start()
    onTestFinished(() => server.kill('SIGKILL'))
    const client = checkedClient(server.url)
    const id = await makeDatastore(client)
    const agent = await makeAgent(client)
    const [datasourceId = ''] = await upsert(client, id, 'Bees make honey.')
    const ready = async () => (await sdk.getReadiness({ client })).response?.status
    expect(await ready()).toBe(200)

    close()
    const body = { documents: [{ text: 'Bees make wax.' }] }
    const writes = [
      () => sdk.upsertDocuments({ client, path: { datastoreId: id }, body }),
      () =>
        sdk.updateDatasource({
          client,
          path: { datastoreId: id },
          body: { id: datasourceId, text: 'x' },
        }),
      () => sdk.deleteDatasource({ client, path: { id, datasourceId } }),
      () => sdk.createDatastore({ client, body: { name: 'other' } }),
      () => sdk.updateDatastore({ client, path: { id }, body: { name: 'other' } }),
      () => sdk.deleteDatastore({ client, path: { id } }),
      () => sdk.createAgent({ client, body: { name: 'a', description: 'b' } }),
      () => sdk.updateAgent({ client, path: { id: agent.id }, body: { description: 'c' } }),
      () => sdk.deleteAgent({ client, path: { id: agent.id } }),
      () => sdk.createKey({ client, body: { name: 'k', scopes: ['agents:read'] } }),
    ]
    for (const write of writes) {
      const { response, error } = await write()
      expect([response?.status, error?.code]).toEqual([503, 'unavailable'])
    }
    expect(await ready()).toBe(503)
    const ask = (store: boolean) =>
      sdk.queryAgent({ client, path: { id: agent.id }, body: { query: 'honey?', store } })
    expect((await ask(true)).error).toMatchObject({
      code: 'unavailable',
      detail: expect.stringContaining('"store": false'),
    })
    expect((await ask(false)).response?.status).toBe(200)
    expect((await query(client, id, { query: 'honey' }))[0]?.text).toBe('Bees make honey.')

    open()
    expect(await ready()).toBe(200)
    await upsert(client, id, 'Bees make wax.')
    await server.kill('SIGKILL')
    close()
    await expect(start()).rejects.toThrow(
      new Error(
        `DATA_URI ${directory} is not a directory that can be written to: its file system is read-only.\n`,
      ),
    )
    open()
    const again = await start()
    onTestFinished(() => again.kill('SIGKILL'))
    const { data } = await sdk.getDatastore({ client: checkedClient(again.url), path: { id } })
    expect(data?.datasourceCount).toBe(2)
  },
)
