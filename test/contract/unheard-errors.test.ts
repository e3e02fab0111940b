import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../support/contract.ts'
import { checkedClient, temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { makeDatastore } from '../support/things.ts'

const nodeOptions = ['--import', join(root, 'test/support/unheard-errors.ts')]

async function startBreakable(kind: string) {
  const settings = { DATA_URI: await temporaryDirectory(), INITIAL_KEY: testKey, UNHEARD: kind }
  const server = await spawnServer(settings, { nodeOptions })
  onTestFinished(() => server.kill('SIGKILL'))
  return server
}

/** Sends an upsert but for its last byte; `finish` sends that, and reads the answer. */
async function beginUpsert(url: string, id: string): Promise<{ finish: () => Promise<string> }> {
  const body = JSON.stringify({ documents: [{ text: 'It was in hand.' }] })
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const lines = [
    `POST /api/datastores/upsert/${id} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${testKey}`,
    'Content-Type: application/json',
    'Expect: 100-continue',
    `Content-Length: ${body.length}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  // The server asks for the body once it has the request in hand.
  const [asked] = (await once(socket, 'data')) as [Buffer]
  expect(String(asked)).toMatch(/^HTTP\/1\.1 100/)
  socket.write(body.slice(0, -1))
  return {
    finish: () => {
      socket.write(body.slice(-1))
      return text(socket)
    },
  }
}

const isRefused = async (url: string): Promise<boolean> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const outcome = await Promise.race([
    once(socket, 'connect').then(() => false),
    once(socket, 'error').then(
      () => true,
      () => true,
    ),
  ]).catch(() => true)
  socket.destroy()
  return outcome
}

for (const kind of ['an emitter', 'a promise', 'every turn']) {
  const tags = kind === 'an emitter' ? [] : ['deep']
  test(
    `after ${kind} fails unheard the request in hand is answered, new ones are refused, and the server exits with 1`,
    { tags },
    async () => {
      const server = await startBreakable(kind)
      const id = await makeDatastore(checkedClient(server.url))
      const inHand = await beginUpsert(server.url, id)
      const ended = once(server.process, 'close')
      server.process.kill('SIGUSR2')
      await expect.poll(() => isRefused(server.url), { interval: 10 }).toBe(true)
      expect(await inHand.finish()).toMatch(/^HTTP\/1\.1 200 OK/)
      expect(await ended).toEqual([1, null])
      const lines = server.errors().trim().split('\n')
      const fatal = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 60)
      expect(fatal).toHaveLength(1)
      expect(JSON.stringify(fatal[0].err)).toContain('unheard')
    },
  )
}

test('a server whose log fails too exits with 1', { tags: 'deep' }, async () => {
  const server = await startBreakable('the log')
  const ended = once(server.process, 'close')
  server.process.kill('SIGUSR2')
  expect(await ended).toEqual([1, null])
})

test('an error that nothing hears before there is a log is a plain line', async () => {
  await expect(startBreakable('the start')).rejects.toThrow(
    /^The server ends, because of an error: Error: unheard/,
  )
})

const canLimit = spawnSync('prlimit', ['--pid', String(process.pid)]).status === 0

test.runIf(canLimit)(
  'a server without descriptors for a process refuses the file, and reads files once it has some',
  { tags: 'deep' },
  async () => {
    const settings = { DATA_URI: await temporaryDirectory(), INITIAL_KEY: testKey }
    const server = await spawnServer(settings)
    onTestFinished(() => server.kill('SIGKILL'))
    const id = await makeDatastore(checkedClient(server.url))
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const headers = {
      authorization: `Bearer ${testKey}`,
      'content-type': 'application/octet-stream',
    }
    let uploads = 0
    const upload = async (): Promise<number | undefined> => {
      const sent = request(`${server.url}/datastores/${id}/files/${++uploads}`, {
        agent,
        method: 'PUT',
        headers,
      })
      sent.end('<html><p>The library opens at nine.')
      const [answer] = await once(sent, 'response')
      answer.resume()
      await once(answer, 'end')
      return answer.statusCode
    }
    expect(await upload()).toBe(201)
    const { pid } = server.process
    const limit = (files: number) =>
      execFileSync('prlimit', ['--pid', `${pid}`, `--nofile=${files}:`])
    limit(8)
    // On the connection that is open; the process that reads a file cannot be started.
    expect(await upload()).toBe(500)
    limit(1024)
    expect(await upload()).toBe(201)
    await makeDatastore(checkedClient(server.url))
    expect(server.process.exitCode).toBe(null)
  },
)
