import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import packageJson from '../../cli/package.json' with { type: 'json' }
import { installPacked, type Packed, peerTool } from '../support/packed-package.ts'
import { joinServer, testKey } from '../support/server.ts'

/** The command line as strangers get it: packed, and installed into an empty project. */

let packed: Packed
beforeAll(async () => {
  packed = await installPacked('cli')
}, 600_000)

const { url } = await joinServer()

const commandLine = (...words: string[]) =>
  promisify(execFile)(join(packed.project, 'node_modules/.bin/agents-datastores'), words, {
    cwd: packed.project,
    env: { ...process.env, SERVICE_URL: url, API_KEY: testKey },
  })

test('its one file is enough: it has the client in it', { tags: 'deep' }, async () => {
  expect(packed.installed).toContain('commander')
  expect(packed.installed).not.toContain('agents-datastores-client')
  expect((await commandLine('--version')).stdout).toBe(`${packageJson.version}\n`)
  await writeFile(join(packed.project, 'hours.md'), 'The library opens at nine.')
  await commandLine('ingest', 'library', 'hours.md', '--create')
  const { stdout } = await commandLine('ask', 'library', 'when', 'does', 'the', 'library', 'open')
  expect(stdout).toContain('The library opens at nine. [1]')
})

test('what others say of packages is good', { tags: 'deep' }, async () => {
  await peerTool(packed.project, 'publint/src/cli.js', 'run', packed.tarball, '--strict')
})
