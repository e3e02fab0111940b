import express, { type RequestHandler, type Router } from 'express'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { MethodNotAllowed } from '../errors.ts'
import { docsPage, homePage, problemsPage } from './page-texts.ts'
import { toServedDocument } from './served-document.ts'

/** What is read by people: the pages, and the document they are made from. */
export function createPages(contract: object): Router {
  const document = toServedDocument(contract)
  const yaml = stringify(document, {
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
    lineWidth: 0,
  })
  const router = express.Router({ strict: true, caseSensitive: true })
  const get = (path: string, type: string, body: string | Buffer) => {
    router.all(path, onlyRead, (_request, response) => {
      response.set({ 'Content-Type': type, 'Content-Security-Policy': policy }).end(body)
    })
  }
  get('/', 'text/html; charset=utf-8', homePage)
  get('/docs', 'text/html; charset=utf-8', docsPage)
  get('/problems', 'text/html; charset=utf-8', problemsPage)
  get('/openapi.json', 'application/json; charset=utf-8', JSON.stringify(document))
  get('/openapi.yaml', 'application/yaml; charset=utf-8', yaml)
  for (const { path, type, file } of assets) get(path, type, readFileSync(file))
  return router
}

/** Nothing from elsewhere, nothing inside the page, no page around it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const own = (name: string): string => join(import.meta.dirname, 'pages', name)
const swagger = (name: string): string =>
  fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))
const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'

const assets = [
  { path: '/docs/style.css', type: style, file: own('style.css') },
  { path: '/docs/docs.js', type: script, file: own('docs.js') },
  { path: '/docs/swagger-ui.css', type: style, file: swagger('swagger-ui.css') },
  { path: '/docs/swagger-ui-bundle.js', type: script, file: swagger('swagger-ui-bundle.js') },
  { path: '/docs/favicon.png', type: 'image/png', file: swagger('favicon-32x32.png') },
]

const onlyRead: RequestHandler = ({ method }, _response, next) => {
  if (method !== 'GET' && method !== 'HEAD') throw new MethodNotAllowed(['GET', 'HEAD'])
  next()
}
