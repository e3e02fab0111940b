import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Representation } from './representation.ts'

/** The files that pages load, by path, and the documents that /playground offers to try. */
export function readAssets(): Map<string, Representation> {
  const own = globSync('*', { cwd: folder }).map((name) => [name, join(folder, name)] as const)
  const samples = globSync('*', { cwd: sample }).map(
    (name) => [`sample/${name}`, join(sample, name)] as const,
  )
  return new Map(
    [...own, ...swagger, ...bundle, ...samples].map(([name, file]) => [
      `/docs/${name}`,
      new Representation(types[extname(name)]!, readFileSync(file)),
    ]),
  )
}

const folder = join(import.meta.dirname, 'assets')

const root = join(import.meta.dirname, '../../..')
const sample = join(root, 'page/sample')
const bundle = ['playground.js', 'playground.css'].map(
  (name) => [name, join(root, 'generated', name)] as const,
)

const swagger = [
  ['swagger-ui.css', 'swagger-ui.css'],
  ['swagger-ui-bundle.js', 'swagger-ui-bundle.js'],
].map(
  ([name = '', file = '']) =>
    [name, fileURLToPath(import.meta.resolve(`swagger-ui-dist/${file}`))] as const,
)

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ico': 'image/vnd.microsoft.icon',
  '.png': 'image/png',
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.pdf': 'application/pdf',
}
