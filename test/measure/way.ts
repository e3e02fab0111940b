/**
 * `npm run measure -- --way`: how many functions, files and folders of `src` a warm request enters, and how often it moves
 * from one file or folder to another. Each function is made to say that it begins as it is loaded.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { pino } from 'pino'
import ts from 'typescript'
import { quietLance } from '../../src/process/runtime-settings.ts'

const source = join(import.meta.dirname, '../../src')
const places: { file: string; line: number }[] = []
let entered: number[] = []

Reflect.set(globalThis, 'enters', (place: number) => void entered.push(place))

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.startsWith(pathToFileURL(source).href) || !url.endsWith('.ts')) return loaded
    return { ...loaded, source: told(fileURLToPath(url), String(loaded.source)) }
  },
})

/** The text with a call at the beginning of each function. */
function told(file: string, text: string): string {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const added: [at: number, text: string][] = []
  const visit = (node: ts.Node): void => {
    const { body } = node as ts.FunctionLikeDeclaration
    if (ts.isFunctionLike(node) && body) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
      const note = `enters(${places.push({ file: relative(source, file), line }) - 1})`
      if (ts.isBlock(body)) added.push([body.getStart(tree) + 1, `${note};`])
      else added.push([body.getStart(tree), `(${note},`], [body.getEnd(), ')'])
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return added
    .toSorted(([one], [other]) => other - one)
    .reduce((result, [at, more]) => result.slice(0, at) + more + result.slice(at), text)
}

quietLance(process.env)
const key = 'a-key-of-the-measures-0123456789abcdef'
const { openService } = await import('../../src/service/service.ts')
const { HttpServer } = await import('../../src/http/server.ts')
const directory = await mkdtemp(join(tmpdir(), 'agents-datastores-way-'))
const config = {
  dataUri: directory,
  durability: 'fsync' as const,
  requestTimeout: 60,
  provider: undefined,
  chat: undefined,
  corsOrigins: [],
}
const service = await openService(config, pino({ level: 'silent' }))
await service.keys.ensureFirst(key)
const server = new HttpServer(service.app, 60)
const address = await server.listen(0, '127.0.0.1')

async function call(method: string, path: string, body: object): Promise<{ id: string }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const request = { method, headers, body: JSON.stringify(body) }
  const response = await fetch(address + path, request)
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return (await response.json()) as { id: string }
}

/** What the last of several equal requests enters. */
async function wayOf(name: string, method: string, path: string, body: object) {
  for (let time = 0; time < 5; time++) await call(method, path, body)
  entered = []
  await call(method, path, body)
  const files = entered.map((place) => places[place]!.file)
  const folders = files.map((file) => dirname(file))
  const moves = (names: string[]) => names.filter((one, at) => at > 0 && one !== names[at - 1])
  return {
    name,
    calls: entered.length,
    functions: new Set(entered).size,
    files: new Set(files).size,
    folders: new Set(folders).size,
    'moves of files': moves(files).length,
    'moves of folders': moves(folders).length,
  }
}

const documents = [
  { text: 'The library opens at nine.', metadata: { custom_id: 'ann' } },
  { text: 'Books may be kept for four weeks.', metadata: { custom_id: 'ann' } },
]
const { id: datastore } = await call('POST', '/datastores', { name: 'way' })
const { id: agent } = await call('POST', '/agents', { name: 'way', description: 'Answers.' })
await call('PUT', `/agents/${agent}/knowledge`, { datastoreIds: [datastore] })
const query = { query: 'When does the library open?', filters: { custom_ids: ['ann'] } }
const upsert = `/api/datastores/upsert/${datastore}`
console.table([
  await wayOf('upsert of two documents', 'POST', upsert, { documents }),
  await wayOf('hybrid query', 'POST', `/datastores/${datastore}/query`, query),
  await wayOf('question', 'POST', `/agents/${agent}/query`, { query: query.query }),
])
await server.stop(1000)
await service.close()
await rm(directory, { recursive: true })
