import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { root } from '../support/contract.ts'
import { startServer, temporaryDirectory, testKey } from '../support/server.ts'
import { makeLearnedAgent } from '../support/things.ts'

/** Other people's clients of the Model Context Protocol find, read and ask. */

const peers = join(root, 'test/peers/assistants')
const run = promisify(execFile)
/** It only ends what hangs. */
const timeout = 600_000

const { client, url } = await startServer()
const text = 'The library opens at nine in the morning, Monday to Saturday.'
const document = { text, name: 'hours.md', metadata: { source: 'library/hours.md' } }
const { datastore, datasources } = await makeLearnedAgent(client, [document])

beforeAll(async () => {
  if (await isInstalled()) return
  await run('npm', ['ci', '--prefix', peers, '--ignore-scripts'])
}, timeout)

/** Whether all that is named is there, in its version. */
async function isInstalled(): Promise<boolean> {
  const read = async (folder: string) =>
    JSON.parse(await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}'))
  const { dependencies } = (await read(peers)) as { dependencies: Record<string, string> }
  const found = await Promise.all(
    Object.keys(dependencies).map((name) => read(join(peers, 'node_modules', name))),
  )
  return Object.values(dependencies).every((version, index) => found[index].version === version)
}

test.each(['sdk.mjs', 'ai-sdk.mjs', 'langchain.mjs', 'mcporter.mjs'])(
  '%s lists the tools, searches, opens what it found, and asks',
  { tags: 'deep', timeout },
  async (program) => {
    const TMPDIR = await temporaryDirectory()
    const env = { ...process.env, MCP_URL: `${url}/mcp`, API_KEY: testKey, TMPDIR }
    const { stdout } = await run(process.execPath, [join(peers, program)], { env })
    const { tools, ...found } = JSON.parse(stdout)
    expect(tools.toSorted()).toEqual([
      'ask',
      'fetch',
      'list_datastores',
      'list_documents',
      'search',
    ])
    expect(found).toEqual({
      first: {
        title: 'library/hours.md',
        url: `${url}/document#${datastore}/${datasources[0]}`,
        path: 'library/hours.md',
        datastore: 'library',
      },
      fetched: text,
      read: text,
      answer: text,
    })
  },
)
