import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { temporaryDirectory } from '../../support/server.ts'

/** Where a server keeps its store, as its settings say it. */
export type ObjectStore = { settings: NodeJS.ProcessEnv }

const here = import.meta.dirname
const modules = join(here, 'node_modules')

/** Installs the object stores unless they are there: they are larger than all else. */
export async function installStores(): Promise<void> {
  const isThere = await access(join(modules, 's3rver/package.json')).then(
    () => true,
    () => false,
  )
  if (isThere) return
  await promisify(execFile)('npm', ['ci', '--prefix', here, '--ignore-scripts'])
}

/** The account that Azurite comes with. */
const account = 'devstoreaccount1'
const accountKey =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

/** A container of Azure's blob storage, whose writes may have conditions. */
export async function startAzurite(): Promise<ObjectStore> {
  const port = await freePort()
  const place = ['--blobHost', '127.0.0.1', '--blobPort', String(port)]
  const location = ['--location', await temporaryDirectory(), '--silent', '--skipApiVersionCheck']
  await start([join(modules, '.bin/azurite-blob'), ...place, ...location], port)
  const endpoint = `http://127.0.0.1:${port}/${account}`
  await makeContainer(endpoint, 'container')
  return {
    settings: {
      DATA_URI: 'az://container/store',
      AZURE_STORAGE_ACCOUNT_NAME: account,
      AZURE_STORAGE_ACCOUNT_KEY: accountKey,
      AZURE_STORAGE_ENDPOINT: endpoint,
      AZURE_STORAGE_ALLOW_HTTP: 'true',
    },
  }
}

/** A bucket of a server that speaks S3 but ignores the conditions of writes. */
export async function startS3rver(): Promise<ObjectStore> {
  const port = await freePort()
  const directory = await temporaryDirectory()
  await mkdir(join(directory, 'bucket'))
  const place = ['--address', '127.0.0.1', '--port', String(port), '--silent']
  await start([join(modules, '.bin/s3rver'), ...place, '--directory', directory], port)
  return {
    settings: {
      DATA_URI: 's3://bucket/store',
      AWS_ENDPOINT: `http://127.0.0.1:${port}`,
      AWS_ALLOW_HTTP: 'true',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
  }
}

/** Settles once it takes connections. It ends with the test. */
async function start(command: string[], port: number): Promise<void> {
  const child = spawn(process.execPath, command, { stdio: 'ignore' })
  onTestFinished(() => end(child))
  while (!(await takesConnections(port))) {
    if (child.exitCode !== null) throw new Error(`${command[0]} ended with ${child.exitCode}.`)
    await pause(50)
  }
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

/** LanceDB makes no containers. */
async function makeContainer(endpoint: string, name: string): Promise<void> {
  const headers = { 'x-ms-date': new Date().toUTCString(), 'x-ms-version': '2021-08-06' }
  const signed = Object.entries(headers).map(([key, value]) => `${key}:${value}`)
  const resource = `/${account}/${account}/${name}\nrestype:container`
  const text = ['PUT', ...Array.from({ length: 11 }, () => ''), ...signed, resource].join('\n')
  const hmac = createHmac('sha256', Buffer.from(accountKey, 'base64'))
  const Authorization = `SharedKey ${account}:${hmac.update(text).digest('base64')}`
  const options = { method: 'PUT', headers: { ...headers, Authorization } }
  const response = await fetch(`${endpoint}/${name}?restype=container`, options)
  if (response.status !== 201) throw new Error(await response.text())
}
