import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import ts from 'typescript'
import { inCircles } from '../measure/walls.ts'
import { root } from '../support/contract.ts'

/** The floors of the house, left to right; a file imports from its own or from one to the right. */
const floors = [
  'main|cli',
  'service',
  'http',
  'mcp',
  'handlers',
  'answers',
  'retrieval',
  'domain',
  'embeddings|chat|store|files',
  'provider|process',
  'config',
  'text|metadata',
  'errors',
]

const source = join(root, 'src')
const files = globSync('**/*.ts', { cwd: source })

const textOf = (file: string): string => readFileSync(join(source, file), 'utf8')

const importsOf = (file: string): string[] =>
  ts.preProcessFile(textOf(file)).importedFiles.map(({ fileName }) => fileName)

const localImportsOf = (file: string): string[] =>
  importsOf(file)
    .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
    .map((name) => relative(source, join(source, dirname(file), name)))
    .filter((name) => !name.startsWith('..'))

/** `main.ts` stands beside the folders. */
const nameOf = (file: string): string => file.split('/')[0]?.replace('.ts', '') ?? ''

const floorOf = (file: string): number => placeIn(floors, nameOf(file))

function placeIn(places: string[], name: string): number {
  const index = places.findIndex((names) => names.split('|').includes(name))
  if (index < 0) throw new Error(`${name} stands nowhere`)
  return index
}

test('imports go rightwards', () => {
  const leftward = files.flatMap((file) =>
    localImportsOf(file)
      .filter((imported) => {
        const isOwn = dirname(file) === dirname(imported) || nameOf(file) === nameOf(imported)
        return !(floorOf(imported) > floorOf(file) || isOwn)
      })
      .map((imported) => `${file} → ${imported}`),
  )
  expect(leftward).toEqual([])
})

test('the store is entered by its door', () => {
  const besides = files
    .filter((file) => nameOf(file) !== 'store')
    .flatMap((file) => localImportsOf(file).map((imported) => [file, imported] as const))
    .filter(([, imported]) => /^store\/(?!(store|types)\.ts$)/.test(imported))
  expect(besides).toEqual([])
})

test('imports between folders make no circle', () => {
  const importsOfFolder = new Map<string, string[]>()
  for (const file of files) {
    const folders = localImportsOf(file).map(dirname)
    const others = folders.filter((folder) => folder !== dirname(file))
    importsOfFolder.set(dirname(file), [...(importsOfFolder.get(dirname(file)) ?? []), ...others])
  }
  expect(inCircles(importsOfFolder)).toEqual([])
})

test('imports make no circle', () => {
  const done = new Set<string>()
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) throw new Error([...path, file].join(' → '))
    if (done.has(file)) return
    for (const imported of localImportsOf(file)) visit(imported, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  expect(done.size).toBe(files.length)
})

test.each([
  ['express', /^http\//],
  ['openapi-backend', /^http\//],
  ['ajv', /^http\//],
  ['busboy', /^http\//],
  ['unpdf', /^files\//],
  ['mammoth', /^files\//],
  ['htmlparser2', /^files\//],
  ['fflate', /^files\//],
  ['openai', /^provider\//],
  ['cockatiel', /^provider\//],
  ['@modelcontextprotocol/server', /^mcp\//],
  ['prom-client', /^process\//],
  ['@lancedb/lancedb', /^store\//],
  ['apache-arrow', /^store\//],
  ['node:sqlite', /^store\//],
])('only one floor imports %s', (name, allowed) => {
  const importers = files.filter((file) =>
    importsOf(file).some((imported) => imported === name || imported.startsWith(`${name}/`)),
  )
  expect(importers.length).toBeGreaterThan(0)
  expect(importers.filter((file) => !allowed.test(file))).toEqual([])
})

test('the environment is read by main and cli, for config, and set by the process for jobs', () => {
  expect(files.filter((file) => /process\.env\b/.test(textOf(file))).toSorted()).toEqual([
    'cli/main.ts',
    'main.ts',
    'store/table/job-main.ts',
  ])
})

test('no group of a regular expression has flags of its own, because V8 may match it wrongly', () => {
  const wrong = files.filter((file) => /\(\?(?:[ims]+-?|-)[ims]*:/.test(textOf(file)))
  expect(wrong).toEqual([])
})

/** What the files of a package import: of the repository the path, of other packages the name and the file. */
const importsOfPackage = (folder: string): string[] =>
  globSync('**/*.ts', { cwd: join(root, folder) }).flatMap((file) =>
    ts
      .preProcessFile(readFileSync(join(root, folder, file), 'utf8'))
      .importedFiles.map(({ fileName }) =>
        fileName.startsWith('.')
          ? relative(root, join(root, folder, dirname(file), fileName))
          : `${fileName} in ${file}`,
      ),
  )

test('the client imports nothing of the service, and packages only where they are peers', () => {
  const imports = importsOfPackage('client/src').map((name) => name.replace(/\/[^/ ]+\.ts$/, '/'))
  expect([...new Set(imports)].toSorted()).toEqual([
    '@langchain/core/documents in langchain.ts',
    '@langchain/core/retrievers in langchain.ts',
    'ai in ai.ts',
    'client/src/',
    'generated/',
    'generated/client/',
  ])
})

test('the command line enters the client by its door', () => {
  const others = importsOfPackage('cli/src').filter((name) => !/^cli\/src\/| in /.test(name))
  expect([...new Set(others)].toSorted()).toEqual([
    'client/src/index.ts',
    'generated/max-lengths.gen.ts',
  ])
})

test('the page calls through the client alone, and packages only to draw', () => {
  const page = join(root, 'page/src')
  const imports = globSync('**/*.{ts,tsx}', { cwd: page }).flatMap((file) =>
    ts
      .preProcessFile(readFileSync(join(page, file), 'utf8'))
      .importedFiles.map(({ fileName }) =>
        fileName.startsWith('.') ? relative(root, join(page, dirname(file), fileName)) : fileName,
      )
      .filter((name) => !name.startsWith('page/src/')),
  )
  expect([...new Set(imports)].toSorted()).toEqual([
    'client/src/index.ts',
    'preact',
    'preact/hooks',
  ])
})

test('nothing is of type any', () => {
  const anys = files.flatMap((file) => {
    const found: string[] = []
    const visit = (node: ts.Node): void => {
      if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(`${file}:${node.pos}`)
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true))
    return found
  })
  expect(anys).toEqual([])
})
