import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { Scope } from '../../generated/types.gen.ts'
import { childrenOf } from '../support/children.ts'
import { docxOfBody } from '../support/documents/packages.ts'
import {
  checkedClient,
  openServer,
  startServer,
  temporaryDirectory,
  testKey,
} from '../support/server.ts'
import { makeDatastore, makeKey } from '../support/things.ts'

/** Files are read by processes of their own, which may come to any end. */

const upload = (client: Client, id: string, content: Buffer, name: string) =>
  sdk.uploadFile({
    client,
    path: { id },
    body: { file: new File([new Uint8Array(content)], name) },
  })

/** The processes that read files now. */
const readers = (): number[] =>
  childrenOf(process.pid).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('file-main')
    } catch {
      return false
    }
  })

const onLinux = test.runIf(process.platform === 'linux')

/** Small as a file, and read into more objects than there is room for. */
const makeGreedy = () => docxOfBody('<w:p/>'.repeat(5_000_000))

onLinux(
  'a file that takes too much memory is refused, and others are answered meanwhile',
  { tags: 'deep' },
  async () => {
    const { client } = await startServer({ requestTimeout: 600 })
    const id = await makeDatastore(client)
    let running = true
    const answering = upload(client, id, makeGreedy(), 'greedy.docx').finally(
      () => (running = false),
    )
    await vi.waitUntil(() => readers().length === 1, { interval: 5, timeout: 60_000 })
    for (let n = 0; n < 5; n++) await sdk.getLiveness({ client, throwOnError: true })
    expect(running).toBe(true)
    const { response, error } = await answering
    expect([response?.status, error?.code]).toEqual([422, 'unreadable_file'])
    expect(error?.detail).toContain('more time or memory')
  },
)

test(
  'clients that go give back the places of their files, read or waiting, and nothing of them is stored',
  { tags: 'deep' },
  async () => {
    const { client, logged } = await startServer({ requestTimeout: 600 })
    const id = await makeDatastore(client)
    const gone = new AbortController()
    const body = { file: new File([new Uint8Array(makeGreedy())], 'greedy.docx') }
    const left = Array.from({ length: 16 }, () =>
      sdk.uploadFile({ client, path: { id }, body, signal: gone.signal }).catch(() => undefined),
    )
    await vi.waitUntil(() => readers().length === 2, { interval: 5, timeout: 60_000 })
    const areAllInHand = async () =>
      (await sdk.getMetrics({ client, throwOnError: true })).data.includes(
        'http_requests_in_flight{kind="writes"} 16\n',
      )
    await vi.waitUntil(areAllInHand, { interval: 20, timeout: 60_000 })
    gone.abort()
    await Promise.all(left)
    const closed = () => logged.filter((line) => line.operationId === 'uploadFile' && !line.status)
    await vi.waitUntil(() => closed().length === 16, { interval: 5, timeout: 60_000 })
    const file = Buffer.from('<html><p>The library opens at nine.')
    const { response } = await upload(client, id, file, 'hours.html')
    expect(response?.status).toBe(201)
    // Only the one that read the last file waits for another.
    expect(readers()).toHaveLength(1)
  },
)

onLinux('one process reads the files of a workspace, and no file of another', async () => {
  const { client, url } = await startServer()
  const page = Buffer.from('<html><p>The library opens at nine.')
  const key = await makeKey(client, { workspace: 'other', scopes: [Scope.DATASTORES_WRITE] })
  const other = checkedClient(url, key.key)
  const [id, idOfOther] = [await makeDatastore(client), await makeDatastore(other)]
  const others = new Set(readers())
  const own = () => readers().filter((pid) => !others.has(pid))
  await upload(client, id, page, 'hours.html')
  const [first, ...rest] = own()
  expect([first, rest]).toEqual([expect.any(Number), []])
  await upload(client, id, page, 'again.html')
  expect(own()).toEqual([first])
  const { response } = await upload(other, idOfOther, page, 'hours.html')
  expect(response?.status).toBe(201)
  expect(own()).toEqual([first, expect.any(Number)])
  const broken = Buffer.from('%PDF-1.7 broken')
  const { error } = await upload(client, id, broken, 'broken.pdf')
  expect(error?.code).toBe('unreadable_file')
  await vi.waitUntil(() => !own().includes(first!), { interval: 5, timeout: 60_000 })
})

test(
  'a client that goes while its document is being stored has it stored',
  { tags: 'deep' },
  async () => {
    const { client, url } = await startServer()
    const id = await makeDatastore(client)
    const { hostname, port } = new URL(url)
    const lines = [
      `PUT /datastores/${id}/files/hours HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${testKey}`,
      'Content-Type: application/octet-stream',
      'Content-Length: 8',
    ]
    const socket = connect(Number(port), hostname)
    await new Promise((sent) => socket.write(`${lines.join('\r\n')}\r\n\r\nAt nine.`, sent))
    socket.destroy()
    const path = { id, key: 'hours' }
    await vi.waitUntil(
      async () => (await sdk.getDocument({ client, path })).data?.text === 'At nine.',
      { interval: 20, timeout: 60_000 },
    )
  },
)

onLinux(
  'who reads a file knows nothing of the settings, and ends with the server',
  { tags: 'deep' },
  async () => {
    const server = await openServer({ dataUri: await temporaryDirectory() })
    onTestFinished(server.close)
    const id = await makeDatastore(server.client)
    const answering = upload(server.client, id, makeGreedy(), 'greedy.docx').catch(() => undefined)
    const pid = await vi.waitUntil(() => readers()[0], { interval: 5, timeout: 60_000 })
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8').match(/[^=\0]+(?==)/g) ?? []
    expect(names.filter((name) => !name.startsWith('NODE_CHANNEL_'))).toEqual([])
    await server.close()
    await answering
    await vi.waitUntil(() => readers().length === 0, { interval: 5, timeout: 60_000 })
  },
)
