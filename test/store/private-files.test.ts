import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../support/contract.ts'
import { checkedClient, openServer, temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { makeAgent, makeConversation, makeDatastore, upsert } from '../support/things.ts'

/** Those that somebody else may read, write or enter. */
async function openToOthers(directory: string): Promise<string[]> {
  const names = ['.', ...(await readdir(directory, { recursive: true }))]
  const modes = names.map(async (name) => {
    // What LanceDB needed for a moment may be gone.
    const entry = await stat(join(directory, name)).catch(() => undefined)
    return entry && (entry.mode & 0o077) !== 0 ? [name] : []
  })
  return (await Promise.all(modes)).flat()
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

test(
  'what a server writes is for its user alone, also in a directory that was open',
  { tags: 'deep' },
  async () => {
    const directory = await temporaryDirectory()
    await chmod(directory, 0o755)
    const server = await spawnServer({ DATA_URI: directory, INITIAL_KEY: testKey })
    onTestFinished(() => server.kill('SIGKILL'))
    const client = checkedClient(server.url)
    const { id } = await makeAgent(client)
    await makeConversation(client, id)
    const datastore = await makeDatastore(client)
    for (let n = 0; n < 20; n++) await upsert(client, datastore, `Text ${n}.`)
    expect(await openToOthers(directory)).toEqual([])
    await server.kill('SIGTERM')
    expect(await openToOthers(directory)).toEqual([])
    expect(server.errors()).toContain('was open to other users')
  },
)

test(
  'what "keys" of the command line writes without a server is for its user alone',
  { tags: 'deep' },
  async () => {
    const directory = join(await temporaryDirectory(), 'made', 'here')
    const words = ['keys', 'create', '--name', 'made', '--scopes', 'agents:read']
    const { PATH } = process.env
    const env = { PATH, PORT: '1', DATA_URI: directory }
    const cwd = await temporaryDirectory()
    const file = join(root, 'src/cli/main.ts')
    await promisify(execFile)(process.execPath, [file, ...words], { env, cwd })
    expect(await readdir(directory)).toContain('keys.lance')
    expect(await openToOthers(directory)).toEqual([])
  },
)

test(
  'a directory that is closed already, or made by a start, is not told about',
  { tags: 'deep' },
  async () => {
    const parent = await temporaryDirectory()
    const closed = join(parent, 'closed')
    await mkdir(closed, { mode: 0o700 })
    for (const dataUri of [closed, join(parent, 'missing')]) {
      const { close, logged } = await openServer({ dataUri })
      await close()
      expect(await modeOf(dataUri)).toBe(0o700)
      expect(JSON.stringify(logged)).not.toContain('other users')
    }
  },
)
