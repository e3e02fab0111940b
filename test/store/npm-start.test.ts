import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { canBeFirst, startCommand, type Way } from '../support/npm-start.ts'
import { checkedClient, temporaryDirectory, testKey } from '../support/server.ts'
import { makeDatastore } from '../support/things.ts'

const rounds = Number(process.env.STOP_ROUNDS ?? 1)
const allShells = ['/bin/dash', '/bin/bash'].filter((shell) => existsSync(shell))
const shells = rounds > 1 ? allShells : allShells.slice(0, 1)
const ways: Way[] = ['plain', 'in the background', 'as process 1']
const starts = shells.flatMap((shell) => ways.map((way) => ({ shell, way })))
const isOpen = ({ way }: { way: Way }) => way !== 'as process 1' || canBeFirst

/** An upsert that takes a while, once the server works on it; `answer` is whole once it is read. */
async function beginUpsert(url: string, datastoreId: string): Promise<{ answer: Promise<string> }> {
  const words = Array.from({ length: 20_000 }, (_, n) => `word${n.toString(36)}`).join(' ')
  const body = JSON.stringify({ documents: Array.from({ length: 4 }, () => ({ text: words })) })
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const lines = [
    `POST /api/datastores/upsert/${datastoreId} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${testKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  await new Promise((resolve) => socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`, resolve))
  await sdk.getLiveness({ client: checkedClient(url), throwOnError: true })
  return { answer: text(socket) }
}

describe.skipIf(process.platform !== 'linux').each(starts.filter(isOpen))(
  'npm start $way, by $shell',
  ({ shell, way }) => {
    const settings = { INITIAL_KEY: testKey, npm_config_script_shell: shell }

    test.each(Array.from({ length: rounds }, (_, round) => round + 1))(
      'ends on SIGTERM once the upsert under way is answered, with all it started, round %i',
      { tags: 'deep' },
      async () => {
        const directory = await temporaryDirectory()
        const started = startCommand('npm start', way, directory, settings)
        const url = (await started.url) ?? ''
        const datastoreId = await makeDatastore(checkedClient(url))
        const { answer } = await beginUpsert(url, datastoreId)
        started.signal('SIGTERM')
        expect(await answer).toMatch(/^HTTP\/1\.1 200 OK/)
        expect(await started.ended()).toBe(0)
        // It was under way, and the lines are in order though they go to a file.
        const told = /stopping|upsertDocuments|stopped/g
        const logged = Array.from(started.errors().matchAll(told), ([word]) => word)
        expect(logged).toEqual(['stopping', 'upsertDocuments', 'stopped'])
      },
    )
  },
)

test.skipIf(process.platform !== 'linux').each(rounds > 1 ? [50, 300, 1_200] : [300])(
  'a SIGTERM %i ms after the start ends it, and the next start finds nothing in its way',
  { tags: 'deep' },
  async (milliseconds) => {
    const directory = await temporaryDirectory()
    const started = startCommand('node src/main.ts', 'plain', directory, { INITIAL_KEY: testKey })
    await pause(milliseconds)
    started.signal('SIGTERM')
    expect([0, 'SIGTERM']).toContain(await started.ended())
    const next = startCommand('node src/main.ts', 'plain', directory, { INITIAL_KEY: testKey })
    expect(await next.url).toMatch(/^http/)
    next.signal('SIGTERM')
    expect(await next.ended()).toBe(0)
    expect(next.errors().match(/stopping|stopped/g)).toEqual(['stopping', 'stopped'])
  },
)

test.skipIf(!canBeFirst)(
  'as process 1, to which a signal without a handler is nothing, it ends before it listens',
  { tags: 'deep' },
  async () => {
    const directory = await temporaryDirectory()
    const started = startCommand('node src/main.ts', 'as process 1', directory)
    const again = setInterval(() => started.signal('SIGTERM'), 20)
    expect(await started.url).toBeUndefined()
    clearInterval(again)
    expect(await started.ended()).toBe(0)
    expect(started.lines).toEqual([])
  },
)

test.skipIf(process.platform !== 'linux')(
  'a signal to all of the group, which npm hands on once more, is one',
  { tags: 'deep' },
  async () => {
    const directory = await temporaryDirectory()
    const started = startCommand('npm start', 'plain', directory, { INITIAL_KEY: testKey })
    const url = (await started.url) ?? ''
    const datastoreId = await makeDatastore(checkedClient(url))
    const { answer } = await beginUpsert(url, datastoreId)
    for (const pid of started.processes()) process.kill(pid, 'SIGINT')
    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(await started.ended()).toBe(0)
  },
)
