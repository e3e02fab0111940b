import { spawnSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { canMount, keepDisk } from '../support/mounted-disk.ts'
import { checkedClient, temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { makeAgent, makeDatastore, makeKey, query, upsert } from '../support/things.ts'

test.skipIf(!canMount)(
  'on a disk that others filled, keys are revoked and documents deleted from the reserve, which is made again',
  { tags: 'deep' },
  async () => {
    const directory = await temporaryDirectory()
    const [command = '', ...within] = await keepDisk(100, directory)
    const run = (script: string): string => {
      const { stdout } = spawnSync(command, [...within, 'sh', '-c', script, 'sh', directory])
      return String(stdout).trim()
    }
    const fill = () => run('cat /dev/zero >> "$1/filler" 2>/dev/null')
    const reserved = () => Number(run('stat -c %s "$1/reserve"'))
    const settings = { DATA_URI: directory, INITIAL_KEY: testKey }
    const server = await spawnServer(settings, { wrapper: [command, ...within] })
    onTestFinished(() => server.kill('SIGKILL'))
    const client = checkedClient(server.url)
    const ready = async () => (await sdk.getReadiness({ client })).response?.status
    const [id, agent] = [await makeDatastore(client), await makeAgent(client)]
    const keys = [await makeKey(client), await makeKey(client), await makeKey(client)]
    const [datasourceId = ''] = await upsert(client, id, 'Ants walk.', 'Bees make honey.')
    const whole = reserved()
    expect(whole).toBeGreaterThan(0)

    fill()
    const path = { datastoreId: id }
    const add = () => sdk.upsertDocuments({ client, path, body: { documents: [{ text: 'x' }] } })
    expect((await add()).error?.code).toBe('storage_full')
    expect((await query(client, id, { query: 'honey' }))[0]?.text).toBe('Bees make honey.')
    const ask = (store: boolean) =>
      sdk.queryAgent({ client, path: { id: agent.id }, body: { query: 'honey?', store } })
    const refused = await ask(true)
    expect(refused.error).toMatchObject({
      code: 'storage_full',
      detail: expect.stringContaining('"store": false'),
    })
    expect((await ask(false)).response?.status).toBe(200)
    for (const key of keys) {
      // What ends in the background may have made room.
      fill()
      expect((await sdk.revokeKey({ client, path: { id: key.id } })).response?.status).toBe(200)
    }
    const remove = () => sdk.deleteDatasource({ client, path: { id, datasourceId } })
    expect((await remove()).response?.status).toBe(200)
    expect(reserved()).toBeLessThan(whole)
    expect(await ready()).toBe(200)

    run(': > "$1/reserve"')
    const fillAndAsk = () => {
      fill()
      return ready()
    }
    await expect.poll(fillAndAsk).toBe(503)

    run('rm "$1/filler"')
    expect(await ready()).toBe(200)
    expect((await add()).response?.status).toBe(200)
    expect(reserved()).toBe(whole)
  },
)
