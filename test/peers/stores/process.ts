import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../support/free-port.ts'

const here = import.meta.dirname
export const modules = join(here, 'node_modules')

/** Installs the object stores unless they are there: they are larger than all else. */
export async function installStores(): Promise<void> {
  const isThere = await access(join(modules, 's3rver/package.json')).then(
    () => true,
    () => false,
  )
  if (isThere) return
  await promisify(execFile)('npm', ['ci', '--prefix', here, '--ignore-scripts'])
}

export type Store = { port: number; end: () => Promise<void> }

/**
 * Starts a store on a free port, and settles once it takes connections. Another process may take
 * the port first: then the store ends at once, and starts again on another port.
 */
export async function startStore(command: (port: string) => string[]): Promise<Store> {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort()
    const child = spawn(process.execPath, command(String(port)), { stdio: 'ignore' })
    while (child.exitCode === null && !(await takesConnections(port))) await pause(50)
    // Whoever took the port may answer before the store has ended.
    await Promise.race([once(child, 'exit'), pause(200)])
    if (child.exitCode === null) return { port, end: () => end(child) }
    if (tries === 5) throw new Error(`${command('…')[0]} ended with ${child.exitCode}.`)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isTaken = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isTaken
}
