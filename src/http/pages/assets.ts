import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Representation } from './representation.ts'

/** The files that pages load, by path, and the documents that /playground offers to try. */
export function readAssets(): Map<string, Representation> {
  const files = [
    ...globSync('*', { cwd: own }).map((name) => [name, join(own, name)] as const),
    ...['playground.js', 'playground.css'].map((name) => [name, join(generated, name)] as const),
    ...['swagger-ui.css', 'swagger-ui-bundle.js'].map((name) => [name, inSwagger(name)] as const),
    ...globSync('*', { cwd: sample }).map(
      (name) => [`sample/${name}`, join(sample, name)] as const,
    ),
  ]
  return new Map(
    files.map(([name, file]) => [
      `/docs/${name}`,
      new Representation(types[extname(name)]!, readFileSync(file)),
    ]),
  )
}

const own = join(import.meta.dirname, 'assets')
const generated = join(import.meta.dirname, '../../../generated')
const sample = join(import.meta.dirname, '../../../page/sample')

const inSwagger = (name: string): string =>
  fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))

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
