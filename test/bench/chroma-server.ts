import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { root } from '../support/contract.ts'

const peer = join(root, 'test/peers/chroma')
const program = join(peer, 'node_modules/.bin/chroma')

const pollMilliseconds = 100
const startMilliseconds = 60_000

export type ChromaServer = { url: string; pid: number; stop: () => Promise<void> }

/** Installs Chroma where it is missing: it is too large to come with what the tests need. */
export async function installChroma(): Promise<void> {
  if (existsSync(program)) return
  await promisify(execFile)('npm', ['ci', '--prefix', peer, '--ignore-scripts'])
}

/**
 * Chroma's own server on a free port, once it answers.
 * @throws with what it printed when it does not
 */
export async function startChroma(directory: string): Promise<ChromaServer> {
  const port = await freePort()
  const args = ['run', '--path', directory, '--host', '127.0.0.1', '--port', String(port)]
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => (printed = (printed + String(bytes)).slice(-4000)))
  }
  const isGone = () => child.exitCode !== null || child.signalCode !== null
  const stop = async () => {
    if (isGone()) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const url = `http://127.0.0.1:${port}`
  for (const end = Date.now() + startMilliseconds; !(await answers(url));) {
    if (isGone() || Date.now() > end) {
      await stop()
      throw new Error(`Chroma does not start: ${printed}`)
    }
    await setTimeout(pollMilliseconds)
  }
  return { url, pid: child.pid!, stop }
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/v2/heartbeat`).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.ok ?? false
}

/** Chroma cannot choose one itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
