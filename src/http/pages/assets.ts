import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Representation } from './representation.ts'

/** The files that pages load, by path: those of `assets/`, and those of Swagger UI. */
export function readAssets(): Map<string, Representation> {
  const own = globSync('*', { cwd: folder }).map((name) => [name, join(folder, name)] as const)
  return new Map(
    [...own, ...swagger].map(([name, file]) => [
      `/docs/${name}`,
      new Representation(types[extname(name)]!, readFileSync(file)),
    ]),
  )
}

const folder = join(import.meta.dirname, 'assets')

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
}
