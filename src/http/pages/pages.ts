import express, { type Request, type RequestHandler, type Router } from 'express'
import { LRUCache } from 'lru-cache'
import { MethodNotAllowed } from '../../errors.ts'
import { baseOf } from '../base.ts'
import { sendOptions } from '../answer.ts'
import { atAddress } from './at-address.ts'
import { readAssets } from './assets.ts'
import { changesPage } from './changes-page.ts'
import { docsPage } from './docs-page.ts'
import { homePage } from './home-page.ts'
import { problemsPage } from './problems-page.ts'
import { Representation } from './representation.ts'

export function createPages(document: { servers: [{ url: string }] }, yamlText: string): Router {
  const declared = document.servers[0].url
  const jsonAt = atAddress(JSON.stringify(document), declared)
  const yamlAt = atAddress(yamlText, declared)
  const router = express.Router({ strict: true, caseSensitive: true })
  const get = (path: string, caching: Caching, choose: (request: Request) => Representation) => {
    router.all(path, onlyRead, (request, response) => {
      response.set({ 'Content-Security-Policy': policy, 'Cache-Control': caching.control })
      for (const header of caching.vary ?? []) response.vary(header)
      return choose(request).send(request, response)
    })
  }
  const home = memoized((base = declared) => new Representation(html, homePage(document, base)))
  const json = memoized((base) => new Representation(jsonType, jsonAt(base)))
  const yaml = memoized((base) => new Representation(yamlType, yamlAt(base)))
  const docs = new Representation(html, docsPage)
  const problems = new Representation(html, problemsPage)
  const changes = new Representation(html, changesPage)

  get('/', forwarded, ({ headers }) => home(baseOf(headers)))
  get('/docs', revalidated, () => docs)
  get('/problems', revalidated, () => problems)
  get('/changes', revalidated, () => changes)
  get('/openapi.json', forwarded, ({ headers }) => json(baseOf(headers)))
  get('/openapi.yaml', forwarded, ({ headers }) => yaml(baseOf(headers)))
  const assets = readAssets()
  for (const [path, asset] of assets) get(path, cached, () => asset)
  get('/favicon.ico', cached, () => assets.get('/docs/favicon.png')!)
  for (const page of ['docs', 'problems', 'changes']) {
    // A relative address stays below the prefix of a proxy.
    router.all(`/${page}/`, onlyRead, (_, response) => response.redirect(308, `../${page}`))
  }
  return router
}

type Caching = { control: string; vary?: string[] }

/** A browser asks each time, and gets 304 where nothing has changed. */
const revalidated = { control: 'no-cache' }
/** Short, so that a page and its assets are soon of one version again. */
const cached = { control: 'public, max-age=600' }
const forwarded = {
  ...revalidated,
  vary: ['X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-Prefix'],
}

/** Addresses that one server is asked at; a client may invent any number of them. */
const maxAddresses = 16

type ForAddress = (base: string | undefined) => Representation

function memoized(make: ForAddress): ForAddress {
  const cache = new LRUCache<string, Representation>({ max: maxAddresses })
  return (base) => {
    const made = cache.get(base ?? '') ?? make(base)
    cache.set(base ?? '', made)
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

const html = 'text/html; charset=utf-8'
const jsonType = 'application/json; charset=utf-8'
const yamlType = 'application/yaml; charset=utf-8'

const onlyRead: RequestHandler = ({ method }, response, next) => {
  const methods = ['GET', 'HEAD', 'OPTIONS']
  if (method === 'OPTIONS') return sendOptions(response, methods)
  if (!methods.includes(method)) throw new MethodNotAllowed(methods)
  next()
}
