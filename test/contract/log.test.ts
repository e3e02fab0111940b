import { expect, onTestFinished, test } from 'vitest'
import { QueryMode } from '../../generated/types.gen.ts'
import { spawnServer } from '../support/server-process.ts'
import { checkedClient, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const initialKey = 'key-of-the-log-0123456789-0123456789'

test('on stderr are lines of JSON alone, whatever is asked', async () => {
  const settings = { DATA_URI: await temporaryDirectory(), INITIAL_KEY: initialKey }
  const server = await spawnServer(settings)
  onTestFinished(() => server.kill('SIGKILL'))
  let log = ''
  server.process.stderr?.on('data', (bytes) => (log += String(bytes)))
  const client = checkedClient(server.url, initialKey)
  const id = await makeDatastore(client)
  await upsert(client, id, 'Rivers carry sand.', 'Wind carries sand.')
  for (const mode of Object.values(QueryMode)) {
    const found = await query(client, id, { query: 'What do rivers carry?', mode })
    expect(found[0]?.text).toBe('Rivers carry sand.')
  }
  await server.kill('SIGTERM')
  await expect.poll(() => log).toContain('"stopped"')
  const lines = log.split('\n').filter((line) => line !== '')
  expect(lines.filter((line) => line.includes('queryDatastore'))).toHaveLength(3)
  for (const line of lines) expect(line).toMatch(/^\{"level":\d+,.*\}$/)
})
