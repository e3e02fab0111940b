import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { canBeOffline, sandbox } from '../../src/files/file-process.ts'
import { root } from '../support/contract.ts'
import { temporaryDirectory } from '../support/server.ts'

/** What a file could make its reader do: each is done in the sandbox, and tells how it went. */
const attempts = `
import fs from 'node:fs'
import net from 'node:net'
import dgram from 'node:dgram'
import child from 'node:child_process'
import inspector from 'node:inspector'
import { Worker } from 'node:worker_threads'
import { once } from 'node:events'
const { code, secret, target, port } = JSON.parse(process.argv[1])
const connect = async (to) => {
  const socket = net.connect(to)
  await once(socket, 'connect')
  socket.destroy()
}
const all = {
  'reads code': () => fs.readFileSync(code),
  'reads a file of the system': () => fs.readFileSync('/etc/hostname'),
  'reads the settings of the server': () => fs.readFileSync('/proc/' + process.ppid + '/environ'),
  'opens the memory of the server': () => fs.openSync('/proc/' + process.ppid + '/mem'),
  'reads a document of the store': () => fs.readFileSync(secret),
  'lists the store': () => fs.readdirSync(secret.replace(/[^/]*$/, '')),
  'lists the root': () => fs.readdirSync('/'),
  'reads through its own folder': () => fs.readFileSync(code + '/../../../.git/HEAD'),
  'writes': () => fs.writeFileSync(target, 'x'),
  'makes a link': () => fs.symlinkSync(secret, target),
  'starts a program': () => child.spawnSync('true').error && (() => { throw child.spawnSync('true').error })(),
  'loads machine code': () => process.dlopen({ exports: {} }, '/lib/x.node'),
  'opens an inspector': () => inspector.open(0),
  'reads in a thread': async () => {
    const worker = new Worker('import fs from "node:fs"; fs.readFileSync(' + JSON.stringify(secret) + ')', { eval: true })
    const [outcome] = await Promise.race([once(worker, 'exit'), once(worker, 'error').then((error) => Promise.reject(error))])
    if (outcome !== 0) throw new Error(String(outcome))
  },
  'connects': () => connect({ port, host: '127.0.0.1' }),
}
const done = {}
for (const [name, attempt] of Object.entries(all)) {
  try { await attempt(); done[name] = 'done' } catch (error) { done[name] = error.code ?? error.message }
}
process.stdout.write(JSON.stringify(done), () => process.exit())
`

async function attempted(isOffline: boolean): Promise<Record<string, string>> {
  const directory = await temporaryDirectory()
  const secret = join(directory, 'secret.lance')
  await writeFile(secret, 'secret')
  const listener = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void listener.close())
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const code = join(root, 'src/files/limits.ts')
  const input = JSON.stringify({ code, secret, target: join(directory, 'new'), port })
  const { execPath, execArgv, env } = sandbox(isOffline)
  const args = [...execArgv, '--input-type=module', '--eval', attempts, input]
  const child = spawn(execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(await text(child.stdout))
}

const denied = 'ERR_ACCESS_DENIED'
const refused = {
  'reads a file of the system': denied,
  'reads the settings of the server': denied,
  'opens the memory of the server': denied,
  'reads a document of the store': denied,
  'lists the store': denied,
  'lists the root': denied,
  'reads through its own folder': expect.any(String),
  writes: denied,
  'makes a link': denied,
  'starts a program': denied,
  'loads machine code': 'ERR_DLOPEN_DISABLED',
  'opens an inspector': denied,
  'reads in a thread': denied,
}

test('who reads a file reads its own code and no other file, writes nothing and starts nothing', async () => {
  const done = await attempted(false)
  expect(done).toEqual({ 'reads code': 'done', connects: 'done', ...refused })
})

const offline = await canBeOffline()
if (!offline) console.warn('No namespaces are allowed here: readers of files keep the network.')

test.runIf(offline)(
  'who reads a file has no network either, where the system allows it',
  async () => {
    const done = await attempted(true)
    expect(done).toEqual({ 'reads code': 'done', connects: expect.any(String), ...refused })
    expect(done.connects).not.toBe('done')
  },
)
