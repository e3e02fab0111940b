import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import ts from 'typescript'
import { root } from '../support/contract.ts'

/** The floors of the house, left to right; a file imports from its own or from one to the right. */
const floors = ['main|cli', 'service', 'http', 'handlers', 'domain', 'embeddings|store', 'base']
const floorOfRootFile: Record<string, string> = { main: 'main', cli: 'cli', service: 'service' }

const source = join(root, 'src')
const files = globSync('**/*.ts', { cwd: source })

const textOf = (file: string): string => readFileSync(join(source, file), 'utf8')

const importsOf = (file: string): string[] =>
  ts.preProcessFile(textOf(file)).importedFiles.map(({ fileName }) => fileName)

const localImportsOf = (file: string): string[] =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(source, join(source, dirname(file), name)))
    .filter((name) => !name.startsWith('..'))

/** `cli.ts` and the folder `cli` are one. */
const nameOf = (file: string): string => file.split('/')[0]?.replace('.ts', '') ?? ''

function floorOf(file: string): number {
  const [folder = '', inFolder] = file.split('/')
  const floor = inFolder ? folder : (floorOfRootFile[folder.replace('.ts', '')] ?? 'base')
  const index = floors.findIndex((names) => names.split('|').includes(floor))
  if (index < 0) throw new Error(`${file} stands on no floor`)
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

test('the environment is read by main and cli, for config, and set by the process for chores', () => {
  expect(files.filter((file) => /process\.env\b/.test(textOf(file))).toSorted()).toEqual([
    'cli.ts',
    'main.ts',
    'store/chore-main.ts',
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
