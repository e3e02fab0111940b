import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { Overloaded, TooManyRequests } from '../../src/errors/errors.ts'
import { Admission, type Permit } from '../../src/http/admission.ts'
import { Provider, recorded, sendJson } from '../support/provider.ts'
import { send } from '../support/raw.ts'
import { startServer, testKey } from '../support/server.ts'
import { makeAgent, makeDatastore, upsert } from '../support/things.ts'

test(
  '429: past 64 MiB of waiting bodies a write is refused, at once where it says its length, and nothing is lost',
  { tags: 'deep' },
  async () => {
    const provider = await Provider.start()
    const { client, url } = await startServer({ provider: provider.settings })
    const datastoreId = await makeDatastore(client)
    const agent = await makeAgent(client)
    const held = Promise.withResolvers<void>()
    onTestFinished(() => held.resolve())
    provider.behaviour = async (call, response) => {
      await held.promise
      sendJson(response, 200, recorded(call))
    }
    // Long for its blanks, for to store text takes as long as it is.
    const documents = Array.from({ length: 5 }, (_, n) => ({ text: `Text ${n}.` }))
    const body = JSON.stringify({ documents }).padEnd(15_000_000)
    const path = `/api/datastores/upsert/${datastoreId}`
    const large = () => send(url, 'POST', path, { body })
    const inChunks = (bytes: number) => postInChunks(url + path, body.slice(0, bytes))
    const waiting = [large(), large(), inChunks(15_000_000), inChunks(15_000_000)]
    await expect.poll(() => provider.calls.length).toBe(1 + 4)

    const refused = await large()
    expect(refused.headers.get('Retry-After')).toBe('1')
    for (const answer of [refused, await inChunks(15_000_000), await inChunks(15_000_000)]) {
      expect([answer.status, (await answer.json()).code]).toEqual([429, 'too_many_requests'])
    }
    // What those took until then is there for others.
    waiting.push(inChunks(6_000_000))
    await expect.poll(() => provider.calls.length).toBe(1 + 5)
    // What is small still has room, and reads are no writes.
    expect((await sdk.deleteAgent({ client, path: { id: agent.id } })).response?.status).toBe(200)
    const counted = await sdk.getDatastore({ client, path: { id: datastoreId } })
    expect(counted.data?.datasourceCount).toBe(0)

    provider.behaviour = undefined
    held.resolve()
    for (const answer of await Promise.all(waiting))
      expect((await answer.json()).ids).toHaveLength(5)
    // All of the room is there again.
    for (const answer of await Promise.all(Array.from({ length: 4 }, large))) {
      expect((await answer.json()).ids).toHaveLength(5)
    }
  },
)

test.each([
  ['writes', 1024],
  ['queries', 256],
] as const)('%s of a workspace past %i at once are refused until some are done', (kind, most) => {
  const admission = new Admission(kind)
  const admitted = Array.from({ length: most }, () => letIn(admission))
  expect(() => admission.admit('birds', 1)).toThrow(`Too many ${kind} of this workspace`)
  for (const one of admitted) one.release()
  admission.admit('birds', 64 * 1024 * 1024)
})

test('a client that comes back finds a place, although all others ask again at once', () => {
  const admission = new Admission('queries')
  const admitted = Array.from({ length: 256 }, () => letIn(admission))
  expect(() => admission.admit('birds', 1)).toThrow(TooManyRequests)
  for (let n = 0; n < 24; n++) {
    expect(() => admission.admit('birds', 1)).toThrow(TooManyRequests)
    admitted.pop()!.release()
  }
  // From here on those inside take no place but their own.
  for (let n = 0; n < 100; n++) {
    admitted.pop()!.release()
    admitted.push(letIn(admission))
  }
  for (let n = 0; n < 24; n++) letIn(admission)
  expect(() => admission.admit('birds', 1)).toThrow(TooManyRequests)
})

test('a workspace that holds nothing finds a place, however many others took theirs', () => {
  const admission = new Admission('queries')
  const others = ['birds', 'fish', 'frogs']
  const held = others.map((workspace) => takeAll(admission, workspace))
  expect(held).toEqual([256, 128, 64])
  expect(takeAll(admission, 'snails')).toBeGreaterThan(0)
})

test('503: one that holds nothing is refused only where the whole server is full', () => {
  const admission = new Admission('queries')
  const names = Array.from({ length: 1_000 }, (_, n) => `w${n}`)
  for (const name of names) takeAll(admission, name)
  expect(() => letIn(admission, 'late')).toThrow(Overloaded)
})

test('all places are open while nobody was refused', () => {
  const admission = new Admission('queries')
  const admitted = Array.from({ length: 256 }, () => letIn(admission))
  admitted.pop()!.release()
  letIn(admission)
})

test('at most 24 refused clients are told to come back in the same second', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const admission = new Admission('queries')
  Array.from({ length: 256 }, () => letIn(admission))
  /** What so many were told, and how many of them. */
  const told = (count: number) => {
    const waits = Array.from({ length: count }, () => waitOf(() => admission.admit('birds', 1)))
    return Object.fromEntries(
      Map.groupBy(waits, (wait) => wait)
        .entries()
        .map(([wait, all]) => [wait, all.length]),
    )
  }
  expect(told(70)).toEqual({ 1: 24, 2: 24, 3: 22 })
  vi.advanceTimersByTime(1_000)
  expect(told(30)).toEqual({ 2: 2, 3: 24, 4: 4 })
  vi.advanceTimersByTime(10_000)
  expect(told(10)).toEqual({ 1: 10 })
  // Nobody is sent away for longer than half a minute.
  const many = told(24 * 40)
  expect(Object.keys(many)).toHaveLength(30)
  expect(many[30]).toBe(24 * 11 + 10)
})

test(
  'a client that hangs up gives its place back, and its query ends',
  { tags: 'deep' },
  async () => {
    const provider = await Provider.start()
    // None of them is to be late on a slow machine.
    const { client, logged } = await startServer({
      provider: provider.settings,
      requestTimeout: 600,
    })
    const id = await makeDatastore(client)
    await upsert(client, id, 'The heron waits.')
    const held = Promise.withResolvers<void>()
    onTestFinished(() => held.resolve())
    provider.behaviour = async (call, response) => {
      await held.promise
      sendJson(response, 200, recorded(call))
    }
    const hangUp = new AbortController()
    const query = { client, path: { id }, body: { query: 'heron' } }
    let refused = 0
    const asked = Array.from({ length: 300 }, () =>
      sdk.queryDatastore({ ...query, signal: hangUp.signal }).then(({ response }) => {
        if (response?.status === 429) refused += 1
      }),
    )
    await expect.poll(() => refused).toBe(300 - 256)
    hangUp.abort()
    await Promise.all(asked)

    provider.behaviour = undefined
    await expect.poll(async () => (await sdk.queryDatastore(query)).response?.status).toBe(200)
    const others = await Promise.all(Array.from({ length: 256 }, () => sdk.queryDatastore(query)))
    expect(new Set(others.map(({ response }) => response?.status))).toEqual(new Set([200]))
    expect(logged.filter(({ level }) => Number(level) >= 40)).toEqual([])
  },
)

test('a client that announces long bodies and sends them slowly takes no room from others', async () => {
  const { client, url } = await startServer()
  const id = await makeDatastore(client)
  await upsert(client, id, 'The heron waits.')
  const slow = await Promise.all(
    [
      { path: `/datastores/${id}/query`, megabytes: 1 },
      { path: `/api/datastores/upsert/${id}`, megabytes: 16 },
    ].flatMap(({ path, megabytes }) =>
      Array.from({ length: 128 / megabytes }, () => slowPost(url, path, megabytes * 1024 * 1024)),
    ),
  )
  expect(
    (await sdk.queryDatastore({ client, path: { id }, body: { query: 'heron' } })).data,
  ).toHaveLength(1)
  expect((await makeAgent(client)).name).toBeDefined()
  for (const socket of slow) socket.destroy()
})

test('a connection is kept for longer than anybody is told to wait', async () => {
  const { url } = await startServer()
  const answer = await fetch(`${url}/datastores`)
  const kept = Number(/timeout=(\d+)/.exec(answer.headers.get('Keep-Alive') ?? '')?.[1])
  expect(kept).toBeGreaterThan(30)
})

test('a client that sends a query slowly, or in chunks, takes no place from others', async () => {
  const { client, url } = await startServer()
  const id = await makeDatastore(client)
  await upsert(client, id, 'The heron waits.')
  const path = `/datastores/${id}/query`
  const slow = await Promise.all(Array.from({ length: 300 }, () => slowPost(url, path, 99)))
  const chunked = () => postInChunks(url + path, JSON.stringify({ query: 'heron' }))
  const answers = await Promise.all(Array.from({ length: 100 }, chunked))
  expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200))
  for (const socket of slow) socket.destroy()
})

/** A request that does not say how long its body is. */
const postInChunks = (target: string, body: string): Promise<Response> =>
  fetch(target, {
    method: 'POST',
    headers: { Authorization: `Bearer ${testKey}`, 'Content-Type': 'application/json' },
    body: new Blob([body]).stream(),
    duplex: 'half',
  } as RequestInit)

/** A request of whose body no more than the first byte comes, once the server asks for it. */
async function slowPost(url: string, path: string, length: number): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${testKey}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    'Expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  socket.write('{')
  return socket
}

function letIn(admission: Admission, workspace = 'birds'): Permit {
  const admitted = admission.admit(workspace, 1)
  admitted.takePlace()
  return admitted
}

/** How many places a workspace finds. */
function takeAll(admission: Admission, workspace: string): number {
  for (let taken = 0; ; taken++) {
    try {
      letIn(admission, workspace)
    } catch {
      return taken
    }
  }
}

function waitOf(enter: () => unknown): number {
  try {
    enter()
  } catch (error) {
    if (error instanceof TooManyRequests) return error.retryAfter
  }
  throw new Error('was let in')
}
