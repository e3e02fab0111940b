/**
 * `npm run measure`: what a reader of `src` has to hold in mind, for the whole and each folder: lines of
 * files and functions, the share of comments, `any`, and circles of imports; the walls between files; and of the
 * contract, its bytes by operation, as it is written and as it is served; and of the page /playground, its lines
 * and its size as a browser loads it.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import ts from 'typescript'
import { inCircles, wallsOf } from './walls.ts'

const source = join(import.meta.dirname, '../../src')

export type Measured = {
  file: string
  lines: number
  comments: number
  functions: number[]
  anys: number
  imports: string[]
  exports: string[]
  types: string[]
}

function measure(file: string): Measured {
  const text = readFileSync(join(source, file), 'utf8')
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const functions: number[] = []
  let anys = 0
  const visit = (node: ts.Node): void => {
    if (isNamedFunction(node)) functions.push(linesOf(tree, node))
    if (node.kind === ts.SyntaxKind.AnyKeyword) anys += 1
    ts.forEachChild(node, visit)
  }
  visit(tree)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const imports = ts
    .preProcessFile(text)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(source, join(source, dirname(file), name)))
  return {
    file,
    lines: text.split('\n').length - 1,
    comments:
      lines.filter((line) => /^\s*(?:\/\/|\/\*|\*(?:[\s/]|$))/.test(line)).length / lines.length,
    functions,
    anys,
    imports: imports.filter((name) => !name.startsWith('..')),
    exports: [...text.matchAll(exported)].map(([, name]) => name!),
    types: [...text.matchAll(/^export type (\w+)/gm)].map(([, name]) => name!),
  }
}

const exported =
  /^export (?:abstract |async )*(?:function\*?|const|let|class|type|interface) (\w+)/gm

/** A function, method or accessor, or a constant that is one. */
const isNamedFunction = (node: ts.Node): boolean =>
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isConstructorDeclaration(node) ||
  ts.isAccessor(node) ||
  ((ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) &&
    node.initializer !== undefined &&
    (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer)))

function linesOf(tree: ts.SourceFile, node: ts.Node): number {
  const [start, end] = [node.getStart(tree), node.getEnd()]
  const lineAt = (position: number) => tree.getLineAndCharacterOfPosition(position).line
  return lineAt(end) - lineAt(start) + 1
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

const circlesOf = (measured: Measured[]): number =>
  inCircles(new Map(measured.map(({ file, imports }) => [file, imports]))).length

function rowOf(name: string, measured: Measured[]) {
  const lines = measured.map((one) => one.lines)
  const functions = measured.flatMap((one) => one.functions)
  const written = measured.reduce((sum, one) => sum + one.lines, 0)
  const comments = measured.reduce((sum, one) => sum + one.comments * one.lines, 0)
  return {
    name,
    files: measured.length,
    lines: written,
    'file median, p90, max': [0.5, 0.9, 1].map((share) => percentile(lines, share)).join(', '),
    'function median, p90, max': [0.5, 0.9, 1]
      .map((share) => percentile(functions, share))
      .join(', '),
    'comments %': Number(((100 * comments) / written).toFixed(1)),
    any: measured.reduce((sum, one) => sum + one.anys, 0),
    circles: circlesOf(measured),
  }
}

const all = globSync('**/*.{ts,mjs}', { cwd: source }).map(measure)
const folderOf = ({ file }: Measured) => (dirname(file) === '.' ? '(root)' : dirname(file))
const folders = [...Map.groupBy(all, folderOf)].toSorted(([a], [b]) => a.localeCompare(b))
console.table([rowOf('src', all), ...folders.map(([name, files]) => rowOf(name, files))])

console.table(wallsOf(all))

function rowOfContract(name: string) {
  const text = readFileSync(join(source, '..', name), 'utf8')
  const operations = text.match(/^ {6}operationId: /gm)?.length ?? 0
  const [lines, bytes] = [text.split('\n').length - 1, Buffer.byteLength(text)]
  return { name, lines, bytes, operations, 'bytes an operation': Math.round(bytes / operations) }
}

console.table(['openapi.yaml', 'generated/openapi.yaml'].map(rowOfContract))

const linesOfFile = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1

function rowOfBundle(name: string, from: string) {
  const lines = globSync(join(source, '..', from)).map(linesOfFile)
  const bundle = readFileSync(join(source, '../generated', name))
  const written = lines.reduce((sum, one) => sum + one, 0)
  const files = { files: lines.length, lines: written, 'longest file': Math.max(...lines) }
  return { name, ...files, bytes: bundle.length, gzipped: gzipSync(bundle).length }
}

console.table([
  rowOfBundle('playground.js', 'page/src/**/*.{ts,tsx}'),
  rowOfBundle('playground.css', 'page/style/*.css'),
])

if (process.argv.includes('--way')) await import('./way.ts')
