import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { authorization, question, report, url } from './asked.mjs'

const cli = fileURLToPath(new URL('cli.js', import.meta.resolve('mcporter')))
const home = await mkdtemp(join(tmpdir(), 'mcporter-'))
const config = join(home, 'mcporter.json')
const library = { baseUrl: url, headers: { Authorization: authorization } }
await writeFile(config, JSON.stringify({ mcpServers: { library } }))

const run = async (...args) => {
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home }
  const command = [cli, '--config', config, ...args]
  const { stdout } = await promisify(execFile)(process.execPath, command, { env })
  return JSON.parse(stdout)
}
const call = (name, args) =>
  run('call', `library.${name}`, '--args', JSON.stringify(args), '--output', 'json')

const { tools } = await run('list', 'library', '--json')
const { results } = await call('search', { query: question })
const { text: fetched } = await call('fetch', { id: results[0].id })
const { answer } = await call('ask', { query: question })
const { resources } = await run('resource', 'library', '--output', 'json')
const { contents } = await run('resource', 'library', resources[0].uri, '--output', 'json')
report({ tools, results, fetched, read: contents[0].text, answer })
