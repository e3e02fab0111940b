import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, onTestFinished } from 'vitest'
import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { checkedClient } from '../support/server.ts'
import { makeDatastore, query } from '../support/things.ts'

export type Serving = {
  client: Client
  /** Those below the process that was started. */
  processes(): number[]
  /** Sends SIGTERM to a process, by default the one that was started. */
  stop(pid?: number): Promise<void>
}

/** Waits until the server in a process that was started listens. It ends with the test. */
export async function serving(child: ChildProcess): Promise<Serving> {
  const processes = () => below(child.pid!)
  onTestFinished(() => {
    for (const pid of processes()) process.kill(pid, 'SIGKILL')
    child.kill('SIGKILL')
  })
  let errors = ''
  child.stderr!.on('data', (bytes) => (errors += String(bytes)))
  let url = ''
  for await (const line of createInterface(child.stdout!)) {
    url = /^Listening on (.*)$/.exec(line)?.[1] ?? ''
    if (url) break
  }
  expect(url, errors).not.toBe('')
  const stop = async (pid = child.pid!) => {
    process.kill(pid, 'SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(errors).toContain('"stopped"')
  }
  return { client: checkedClient(url), processes, stop }
}

/** A file of a kind that a process of its own reads is stored, and found. */
export async function findsFile(client: Client): Promise<void> {
  const id = await makeDatastore(client)
  const file = new File(['<p>The library opens at nine.</p>'], 'hours.html')
  await sdk.uploadFile({ client, path: { id }, body: { file }, throwOnError: true })
  const [fragment] = await query(client, id, { query: 'library' })
  expect(fragment?.text).toBe('The library opens at nine.')
}

/** The children of a process and theirs; none once it has ended. */
export function below(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  const children = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return children
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .flatMap((one) => [one, ...below(one)])
}

/** A line of what the system says of a process; '' once it has ended. */
export function statusOf(pid: number, name: string): string {
  const file = `/proc/${pid}/status`
  const status = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? ''
}
