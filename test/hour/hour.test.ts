import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../support/contract.ts'
import { freePort } from '../support/free-port.ts'
import { installPacked } from '../support/packed-package.ts'
import { Provider } from '../support/provider.ts'
import { temporaryDirectory } from '../support/server.ts'

/**
 * The first hour of a new user: every command is in README or on the page that it names. The places of the
 * pages are in the comments.
 */

const run = promisify(execFile)
const { PATH, HOME, TMPDIR } = process.env

type Printed = { code: number; stdout: string; stderr: string }

/** A checkout as `git clone` makes it. */
async function clone(): Promise<string> {
  const cwd = join(await temporaryDirectory(), 'checkout')
  for (const name of execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split(
    '\0',
  )) {
    if (name === '') continue
    await mkdir(dirname(join(cwd, name)), { recursive: true })
    await copyFile(join(root, name), join(cwd, name)).catch(() => undefined)
  }
  return cwd
}

/** README, "Run it". @returns its lines, until it says where the documentation is */
async function npmStart(cwd: string, settings: NodeJS.ProcessEnv) {
  const child = spawn('npm', ['start'], { cwd, env: { PATH, HOME, TMPDIR, ...settings } })
  const ended = once(child, 'close')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  onTestFinished(stop)
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    if (line.startsWith('Documentation: ')) break
  }
  child.stdout.resume()
  return { lines, stop }
}

test.runIf(process.env.HOUR)(
  'a new user installs, asks, changes files and the model, moves over, and connects programs',
  { timeout: 1_200_000 },
  async () => {
    const cwd = await clone()
    await run('npm', ['ci', '--prefer-offline', '--no-audit'], { cwd })
    const port = String(await freePort())
    const first = await npmStart(cwd, { PORT: port })
    const key = first.lines.join('\n').match(/ads_initial_\w+/)?.[0] ?? ''
    expect(first.lines).toContain(`Listening on http://127.0.0.1:${port}`)

    const SERVICE_URL = `http://127.0.0.1:${port}`
    const env = { PATH, HOME, TMPDIR, API_KEY: key, SERVICE_URL }
    const cli = (...args: string[]): Promise<Printed> =>
      run('npm', ['run', '-s', 'cli', '--', ...args], { cwd, env }).then(
        (printed) => ({ code: 0, ...printed }),
        (error: Printed) => error,
      )

    // README, "Run it": a folder of four kinds.
    const notes = join(cwd, 'notes')
    const cases = join(root, 'test/files/cases')
    await mkdir(notes)
    await writeFile(join(notes, 'hours.md'), 'The library opens at nine in the morning.')
    for (const name of ['pages-short.pdf', 'docx-link.docx', 'mail.eml']) {
      await copyFile(join(cases, name), join(notes, name))
    }
    expect(await cli('ingest', 'town', 'notes', '--create')).toMatchObject({ code: 0 })
    const asked = await cli('ask', 'town', 'when does the library open')
    expect(asked.stdout).toMatch(/nine in the morning\. \[1\]\n\n\[1\] notes\/hours\.md/)
    const found = await cli('query', 'town', 'when is the boiler repaired', '--top-k', '1')
    expect(found.stdout).toContain('The boiler is repaired on Tuesday')

    // docs/cli.md, "Ingest": an edited file, and one that is gone.
    await writeFile(join(notes, 'hours.md'), 'The library opens at ten in the morning.')
    await rm(join(notes, 'mail.eml'))
    const edited = await cli('ingest', 'town', 'notes')
    expect(edited.stdout + edited.stderr).toMatch(
      /1 document.* no file with text any more.*--delete/s,
    )
    expect((await cli('ask', 'town', 'when does the library open')).stdout).toContain('at ten')
    expect(await cli('ingest', 'town', 'notes', '--delete')).toMatchObject({ code: 0 })
    const gone = await cli('query', 'town', 'boiler', '--json')
    expect(gone.stdout).not.toContain('boiler')

    // README, "Your own model", and docs/cli.md, "Export and import": move over.
    const exported = await cli('export', 'town')
    await writeFile(join(cwd, 'town.jsonl'), exported.stdout)
    await first.stop()
    const { settings } = await Provider.start()
    const second = await npmStart(cwd, {
      PORT: port,
      EMBEDDING_MODEL: settings.model,
      OPENAI_BASE_URL: settings.baseUrl,
      OPENAI_API_KEY: settings.apiKey,
    })
    const refused = await cli('query', 'town', 'library')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('town')
    expect(await cli('import', 'town-2', 'town.jsonl', '--create')).toMatchObject({ code: 0 })
    expect((await cli('query', 'town-2', 'library opens', '--top-k', '1')).stdout).toContain(
      'at ten',
    )

    // docs/mcp.md: an assistant.
    const assistant = new Client({ name: 'hour', version: '1.0.0' })
    const options = { requestInit: { headers: { Authorization: `Bearer ${key}` } } }
    await assistant.connect(
      new StreamableHTTPClientTransport(new URL(`${SERVICE_URL}/mcp`), options),
    )
    const call = { name: 'search', arguments: { query: 'when does the library open' } }
    expect(JSON.stringify(await assistant.callTool(call))).toContain('at ten')
    await assistant.close()

    // README, "Five minutes": a TypeScript program; client/README.md: one in CommonJS.
    const block = (await readFile(join(cwd, 'README.md'), 'utf8')).match(
      /^```ts\n(.*?)^```$/ms,
    )?.[1]
    await writeFile(join(cwd, 'walk.ts'), block ?? '')
    const walked = await run('npx', ['node', 'walk.ts'], { cwd, env })
    expect(walked.stdout).toBe('Books may be kept for four weeks and renewed twice.\n')
    const { project } = await installPacked('client')
    const program = `const { AgentsDatastores } = require('agents-datastores-client')
new AgentsDatastores().listDatastores().then(({ data }) => console.log(data.map(({ name }) => name).join()))`
    await writeFile(join(project, 'list.cjs'), program)
    const listed = await run(process.execPath, ['list.cjs'], { cwd: project, env })
    expect(listed.stdout.trim().split(',')).toEqual(expect.arrayContaining(['town', 'town-2']))
    await second.stop()
  },
)
