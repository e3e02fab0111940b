import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkedClient, temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

/** As many connections as a process may have files open, and some more, of clients that ask nothing. */
async function openIdle(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  for (let index = 0; index < count; index++) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => socket.destroy()).resume()
    await once(socket, 'connect')
    sockets.push(socket)
  }
  return sockets
}

describe.each([256, 512])('where a process may have %i files open', (limit) => {
  test('idle connections leave the store its own', { tags: 'deep' }, async () => {
    const settings = { INITIAL_KEY: testKey, LOG_LEVEL: 'warn' }
    const wrapper = ['sh', '-c', `ulimit -n ${limit}; exec "$0" "$@"`]
    const dataUri = await temporaryDirectory()
    const { url, kill } = await spawnServer({ ...settings, DATA_URI: dataUri }, { wrapper })
    onTestFinished(() => kill('SIGKILL'))
    const client = checkedClient(url)
    const id = await makeDatastore(client)
    await upsert(client, id, 'The ferry leaves at nine.')
    const sockets = await openIdle(url, limit + 50)
    // By then all have been taken, and of the client's own connections, which were idle longest, none is left.
    const open = () => sockets.filter(({ closed }) => !closed).length
    await expect.poll(open).toBeLessThanOrEqual(limit / 2)
    for (let round = 0; round < 5; round++) {
      const other = await makeDatastore(client, `round ${round}`)
      await upsert(client, other, 'Another ferry.', 'And one more ferry.')
      expect(await query(client, id, { query: 'ferry' })).toHaveLength(1)
      expect(await query(client, other, { query: 'ferry' })).toHaveLength(2)
    }
    for (const socket of sockets) socket.destroy()
  })
})
