import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { operations } from '../support/contract.ts'
import {
  exampleText,
  examplesOf,
  makeThings,
  pathOf,
  takesJson,
  withIds,
} from '../support/requests.ts'
import { checkedClient, temporaryDirectory } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'

/** What must not get out is marked, everything is done with it, and then it is looked for. */

const word = 'canarytext'
const initialKey = 'canarykey-0123456789-0123456789-abcdef'
// Blanks tear a path apart for whoever looks for paths in a message.
const directory = join(await temporaryDirectory(), 'the canarydirectory of data')

test(
  'no key, text or path of the data gets into a log line or an answer, no key onto the disk',
  { tags: 'deep' },
  async () => {
    const settings = { DATA_URI: directory, INITIAL_KEY: initialKey, LOG_LEVEL: 'trace' }
    const server = await spawnServer(settings)
    onTestFinished(() => server.kill('SIGKILL'))
    let log = server.lines.join('\n')
    server.process.stdout?.on('data', (bytes) => (log += String(bytes)))
    server.process.stderr?.on('data', (bytes) => (log += String(bytes)))
    const client = checkedClient(server.url, initialKey)
    const { data: made } = await sdk.createKey({
      client,
      body: { name: word, scopes: ['agents:read'] },
      throwOnError: true,
    })
    const ids = await makeThings(client)

    let answers = ''
    const requestIds: (string | null)[] = []
    const ask = async (method: string, path: string, init: RequestInit = {}) => {
      const headers = {
        authorization: `Bearer ${initialKey}`,
        'content-type': 'application/json',
        ...init.headers,
      }
      const response = await fetch(server.url + path, { method, ...init, headers })
      answers += `${[...response.headers].join('\n')}\n${await response.text()}\n`
      requestIds.push(response.headers.get('x-request-id'))
      return response.status
    }
    const marked = (value: unknown): unknown => {
      if (typeof value === 'string') return `${value} ${word}`
      if (Array.isArray(value)) return value.map(marked)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, marked(child)]))
    }
    for (const operation of operations) {
      const { method } = operation
      if (method === 'DELETE') continue
      const path = withIds(pathOf(operation), ids)
      for (const example of examplesOf(operation)) {
        await ask(method, path, { body: withIds(JSON.stringify(example), ids) })
        await ask(method, path, { body: JSON.stringify(marked(example)) })
        // A text is taken as it is, and kept.
        if (takesJson(operation)) await ask(method, path, { body: `{"${word}":"${initialKey}"` })
      }
      await ask(method, `${path}?${word}=${word}&source=${initialKey}`)
      await ask(method, path, { headers: { authorization: `Bearer ${made.key}x` } })
      await ask(method, path, { headers: { authorization: `Basic ${initialKey}` } })
      await ask(method, path.replace(/[^/]*$/, `${word}%zz`))
      for (const header of ['content-type', 'content-encoding', 'accept', 'if-match', 'x-any']) {
        const body = method === 'GET' ? undefined : `"${word}"`
        await ask(method, path, { body, headers: { [header]: `"${word}"` } })
      }
    }
    for (const text of [word, `other ${word}`]) {
      const path = `/api/datastores/upsert/${ids.datastore}`
      const body = JSON.stringify({ documents: [{ text }] })
      await ask('POST', path, { body, headers: { 'idempotency-key': word } })
    }
    for (const bytes of [
      word,
      `GET /${word}é HTTP/1.1\r\n`,
      `GET /${word} HTTP/1.1\r\nAuthorization: Bearer ${initialKey}\r\n${word}\r\n`,
      `GET /${word} HTTP/1.1\r\nHost: ${word}\r\nExpect: ${word}\r\n`,
      `CONNECT ${word}:443 HTTP/1.1\r\n`,
    ]) {
      answers += await answerTo(server.url, `${bytes}\r\n`)
    }
    for (const secret of [initialKey, made.key]) {
      await ask('GET', `/agents/${encodeURIComponent(secret)}`)
      await ask('DELETE', `/keys/${encodeURIComponent(secret)}`)
      await ask('GET', `/${encodeURIComponent(secret)}`)
    }
    // Compaction packs texts where it has been.
    await makeThings(client)
    // The text is stored, so that the search for keys below looks where something is.
    const files = await contentsOf(directory)
    expect(files.some((bytes) => bytes.includes(exampleText))).toBe(true)
    for (const secret of [initialKey, made.key, made.key.slice(-48)]) {
      expect(files.filter((bytes) => bytes.includes(secret))).toEqual([])
    }

    // Only what nobody foresaw has the store's own words in it.
    await rm(join(directory, `fragments_${ids.datastore}.lance`), { recursive: true })
    const body = JSON.stringify({ query: word, filters: { custom_ids: [word] } })
    expect(await ask('POST', `/datastores/${ids.datastore}/query`, { body })).toBe(500)
    await rm(join(directory, 'agents.lance'), { recursive: true })
    expect(await ask('GET', '/agents')).toBe(500)
    await server.kill('SIGTERM')

    const lines = log.split('\n').filter((line) => line.startsWith('{'))
    expect(requestIds.filter((id) => !log.includes(`"requestId":"${id}","method"`))).toEqual([])
    expect(lines.filter((line) => line.includes('"err"'))).not.toEqual([])
    for (const canary of [initialKey, made.key, made.key.slice(-48), word, 'canarydirectory']) {
      expect(log.split('\n').filter((line) => line.includes(canary))).toEqual([])
    }
    for (const canary of ['canarydirectory', 'node_modules', '    at ', 'lance']) {
      expect(answers).not.toContain(canary)
    }
  },
)

async function answerTo(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => (answer += String(chunk)))
  socket.end(bytes)
  await once(socket, 'close')
  return answer
}

async function contentsOf(folder: string): Promise<Buffer[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  // The server goes on, and may remove one meanwhile.
  const isGone = (error: NodeJS.ErrnoException): [] => {
    if (error.code !== 'ENOENT') throw error
    return []
  }
  const read = files.map((entry) => readFile(join(entry.parentPath, entry.name)).catch(isGone))
  return (await Promise.all(read)).flat()
}
