import express, { type Request, type RequestHandler, type Router } from 'express'
import { LRUCache } from 'lru-cache'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { MethodNotAllowed } from '../../errors.ts'
import { baseOf, prefixOf } from '../base.ts'
import { sendOptions } from '../answer.ts'
import { docsPage, homePage, problemsPage } from './page-texts.ts'
import { Representation } from './representation.ts'
import { atAddress, toServedDocument } from './served-document.ts'

/** The pages for people, and the document they are made from. */
export function createPages(contract: object): Router {
  const document = toServedDocument(contract)
  const jsonAt = atAddress(document, (it) => JSON.stringify(it))
  const yamlAt = atAddress(document, toYaml)
  const router = express.Router({ strict: true, caseSensitive: true })
  const get = (path: string, caching: Caching, choose: (request: Request) => Representation) => {
    router.all(path, onlyRead, (request, response) => {
      response.set({ 'Content-Security-Policy': policy, 'Cache-Control': caching.control })
      for (const header of caching.vary ?? []) response.vary(header)
      return choose(request).send(request, response)
    })
  }
  const home = memoized((prefix: string) => new Representation(html, homePage(prefix)))
  const json = memoized((base) => new Representation(jsonType, jsonAt(base)))
  const yaml = memoized((base) => new Representation(yamlType, yamlAt(base)))
  const docs = new Representation(html, docsPage)
  const problems = new Representation(html, problemsPage)

  get('/', { ...revalidated, vary: ['X-Forwarded-Prefix'] }, ({ headers }) =>
    home(prefixOf(headers)),
  )
  get('/docs', revalidated, () => docs)
  get('/problems', revalidated, () => problems)
  get('/openapi.json', forwarded, ({ headers }) => json(baseOf(headers)))
  get('/openapi.yaml', forwarded, ({ headers }) => yaml(baseOf(headers)))
  for (const { path, type, file } of assets) {
    const asset = new Representation(type, readFileSync(file))
    get(path, cached, () => asset)
  }
  return router
}

const toYaml = (document: object): string =>
  stringify(document, { compat: 'yaml-1.1', aliasDuplicateObjects: false, lineWidth: 0 })

type Caching = { control: string; vary?: string[] }

/** Asked for each time, and answered 304 where nothing has changed. */
const revalidated = { control: 'no-cache' }
/** Short, so that a page and its assets are soon of one version again. */
const cached = { control: 'public, max-age=600' }
const forwarded = {
  ...revalidated,
  vary: ['X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-Prefix'],
}

/** Addresses that one server is asked at; a client may invent any number of them. */
const maxAddresses = 16

function memoized<Key extends string | undefined>(
  make: (key: Key) => Representation,
): (key: Key) => Representation {
  const cache = new LRUCache<string, Representation>({ max: maxAddresses })
  return (key) => {
    const made = cache.get(key ?? '') ?? make(key)
    cache.set(key ?? '', made)
    return made
  }
}

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

const own = (name: string): string => join(import.meta.dirname, name)
const swagger = (name: string): string =>
  fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))
const html = 'text/html; charset=utf-8'
const jsonType = 'application/json; charset=utf-8'
const yamlType = 'application/yaml; charset=utf-8'
const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'

const assets = [
  { path: '/docs/style.css', type: style, file: own('style.css') },
  { path: '/docs/docs.css', type: style, file: own('docs.css') },
  { path: '/docs/docs.js', type: script, file: own('docs.js') },
  { path: '/docs/swagger-ui.css', type: style, file: swagger('swagger-ui.css') },
  { path: '/docs/swagger-ui-bundle.js', type: script, file: swagger('swagger-ui-bundle.js') },
  { path: '/docs/favicon.png', type: 'image/png', file: swagger('favicon-32x32.png') },
]

const onlyRead: RequestHandler = ({ method }, response, next) => {
  const methods = ['GET', 'HEAD', 'OPTIONS']
  if (method === 'OPTIONS') return sendOptions(response, methods)
  if (!methods.includes(method)) throw new MethodNotAllowed(methods)
  next()
}
