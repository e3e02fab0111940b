import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

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

/** Starts a store, and settles once it takes connections. @returns what ends it */
export async function startStore(command: string[], port: number): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, command, { stdio: 'ignore' })
  while (!(await takesConnections(port))) {
    if (child.exitCode !== null) throw new Error(`${command[0]} ended with ${child.exitCode}.`)
    await pause(50)
  }
  return () => end(child)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
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
