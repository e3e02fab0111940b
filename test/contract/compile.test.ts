import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { root } from '../support/contract.ts'

/** What the compiler read of all files but the changed one, which it need not read again. */
const sources = new Map<string, ts.SourceFile | undefined>()

/** The compiler's complaints about one file of `src` when one piece of it reads differently. */
function complaints(file: string, piece: string, replacement: string): string[] {
  const config = join(root, 'tsconfig.json')
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, ts.sys.readFile).config,
    ts.sys,
    root,
  )
  const host = ts.createCompilerHost(options)
  const read = host.readFile.bind(host)
  let replaced = false
  host.readFile = (name) => {
    const text = read(name)
    if (name !== join(root, file) || text === undefined) return text
    replaced = text.includes(piece)
    return text.replace(piece, replacement)
  }
  const readSource = host.getSourceFile.bind(host)
  host.getSourceFile = (name, ...rest) => {
    if (name === join(root, file)) return readSource(name, ...rest)
    if (!sources.has(name)) sources.set(name, readSource(name, ...rest))
    return sources.get(name)
  }
  const program = ts.createProgram(fileNames, options, host)
  const found = ts.getPreEmitDiagnostics(program, program.getSourceFile(join(root, file)))
  if (!replaced) throw new Error(`${file} does not have ${piece}`)
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

const liveness = "reply(200, { status: 'ok' })"

test('as it is, it compiles', () => {
  expect(complaints('src/handlers/health.ts', liveness, liveness)).toEqual([])
})

test('without a handler for an operation it does not compile', () => {
  expect(complaints('src/service.ts', '...healthHandlers(', '...(')).not.toEqual([])
})

test.each([
  ['a value the contract does not allow', "reply(200, { status: 'fine' })"],
  ['a field too many', "reply(200, { status: 'ok', uptime: 1 })"],
  ['a field missing', 'reply(200, {})'],
  ['a status the contract does not give', "reply(201, { status: 'ok' })"],
  ['no reply', "({ status: 200, body: { status: 'ok' } })"],
])('an answer with %s does not compile', (_, answer) => {
  expect(complaints('src/handlers/health.ts', liveness, answer)).not.toEqual([])
})
