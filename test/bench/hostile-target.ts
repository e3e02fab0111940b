import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { ServerProcess } from '../support/server-process.ts'

/** A server that hostile requests are sent to, with what they need to get past its first checks. */
export type Target = {
  server: ServerProcess
  key: string
  /** A key of a workspace that sees nothing of what the other one has. */
  otherKey: string
  datastoreId: string
  agentId: string
}

type Made = { id: string; key: string }

/** @throws on any answer but success */
async function post({ url }: ServerProcess, key: string, path: string, body: object) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Made
}

export async function makeTarget(server: ServerProcess, key: string): Promise<Target> {
  const other = { name: 'other', scopes: ['agents:read'], workspace: 'other' }
  const { key: otherKey } = await post(server, key, '/keys', other)
  const { id: datastoreId } = await post(server, key, '/datastores', { name: 'hostile' })
  const prompt = '鍵'.repeat(100_000)
  const agent = { name: 'x', description: 'x', systemPrompt: prompt, userPrompt: prompt }
  const { id: agentId } = await post(server, key, '/agents', agent)
  return { server, key, otherKey, datastoreId, agentId }
}

/** Sends a request and takes the first of the answer, its status; 0 where none comes. */
export async function sendTo({ server }: Target, bytes: Buffer): Promise<number> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  // Who is refused on the way may find the connection closed.
  socket.on('error', () => socket.destroy())
  socket.write(bytes)
  const [first] = await Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.destroy()
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(String(first))?.[1] ?? 0)
}

/** What the processors spent on a process so far, in milliseconds. */
export function processorTime({ process: { pid } }: ServerProcess): number {
  const threads = `/proc/${pid}/task`
  return readdirSync(threads).reduce((sum, thread) => {
    const [nanoseconds] = readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ')
    return sum + Number(nanoseconds) / 1e6
  }, 0)
}

/** How long each of so many tries took in turns: an id of another workspace, and one of nobody's. */
export async function timesOf({ server, otherKey, agentId }: Target, tries: number) {
  const times = { foreign: [] as number[], unknown: [] as number[] }
  for (let index = 0; index < tries; index++) {
    const unknown = `agt_${index.toString(16).padStart(24, '0')}`
    for (const [kind, id] of [
      ['foreign', agentId],
      ['unknown', unknown],
    ] as const) {
      const began = performance.now()
      const headers = { Authorization: `Bearer ${otherKey}` }
      await (await fetch(`${server.url}/agents/${id}`, { headers })).text()
      times[kind].push(performance.now() - began)
    }
  }
  return times
}
