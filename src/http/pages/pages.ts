import express, { type Request, type RequestHandler, type Router } from 'express'
import { LRUCache } from 'lru-cache'
import { problems } from '../../../generated/problems.gen.ts'
import { MethodNotAllowed } from '../../errors/errors.ts'
import { sendOptions, baseOf } from '../answer.ts'
import { readAssets } from './assets.ts'
import { changesPage } from './changes-page.ts'
import { homePage } from './home-page.ts'
import { page, toHtml } from './page.ts'
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
  const home = memoized((base = declared) => new Representation(html, homePage(base)))
  const json = memoized((base) => new Representation(jsonType, jsonAt(base)))
  const yaml = memoized((base) => new Representation(yamlType, yamlAt(base)))
  const fixedPages = {
    docs: docsPage,
    playground: playgroundPage,
    problems: problemsPage,
    changes: changesPage,
    document: documentPage,
  }

  get('/', forwarded, ({ headers }) => home(baseOf(headers)))
  for (const [name, text] of Object.entries(fixedPages)) {
    const whole = new Representation(html, text)
    get(`/${name}`, revalidated, () => whole)
  }
  get('/openapi.json', forwarded, ({ headers }) => json(baseOf(headers)))
  get('/openapi.yaml', forwarded, ({ headers }) => yaml(baseOf(headers)))
  for (const name of [...Object.keys(fixedPages), 'openapi.json', 'openapi.yaml']) {
    // A relative address stays below the prefix of a proxy.
    router.all(`/${name}/`, onlyRead, (_, response) => response.redirect(308, `../${name}`))
  }
  const assets = readAssets()
  for (const [path, asset] of assets) get(path, cached, () => asset)
  get('/favicon.ico', cached, () => assets.get('/docs/favicon.ico')!)
  return router
}

type Caching = { control: string; vary?: string[] }

/** A browser asks each time, and gets 304 if nothing has changed. */
const revalidated = { control: 'no-cache' }
/** Short, so that a page and its assets soon have the same version again. */
const cached = { control: 'public, max-age=600' }
const forwarded = {
  ...revalidated,
  vary: ['X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-Prefix'],
}

/** How many addresses of this server are remembered. A client may invent any number of them. */
const maxAddresses = 16

type ForAddress = (base: string | undefined) => Representation

function memoized(make: ForAddress): ForAddress {
  const memoMethod = (base: string) => make(base || undefined)
  const cache = new LRUCache<string, Representation>({ max: maxAddresses, memoMethod })
  return (base = '') => cache.memo(base)
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

/** Copies a document's text with another address in place of the declared one. */
export function atAddress(text: string, declared: string): (base: string | undefined) => string {
  let rest = text
  const parts = withAddress.map((member) => {
    const start = rest.indexOf(declared, rest.search(member))
    const part = rest.slice(0, start)
    rest = rest.slice(start + declared.length)
    return part
  })
  return (base = declared) => [...parts, rest].join(base)
}

/** The members that hold the address, in YAML or JSON, in order. A description may hold the same words. */
const withAddress = [/^servers:|,"servers":\[/m, /^externalDocs:|,"externalDocs":\{/m]

const docsPage = page(
  'Agents and Datastores: every operation',
  `<main>
<section class="steps" aria-label="First steps">
<ol>
<li><button type="button" id="give-key">Give your key</button></li>
<li><a href="#/datastores/createDatastore">Make a datastore</a></li>
<li><a href="#/datastores/upsertDocuments">Put documents in</a></li>
<li><a href="#/datastores/queryDatastore">Ask</a></li>
</ol>
<p>Press <b>Try it out</b>, then <b>Execute</b>. The ids in an answer are filled in where they are needed
next. <a href="playground">Try your own documents</a>. <a href="changes">What is new</a></p>
</section>
<div id="swagger-ui"></div>
</main>
<script src="docs/swagger-ui-bundle.js"></script>`,
  { styles: ['swagger-ui.css', 'docs.css'], scripts: ['docs.js'] },
)

const playgroundPage = page(
  'Agents and Datastores: playground',
  `<div id="playground"><main><h1>Playground</h1><p>This page needs JavaScript.</p></main></div>`,
  { styles: ['playground.css'], scripts: ['playground.js'] },
)

const problemsPage = page(
  'Agents and Datastores: problems',
  `<main>
<h1>Problems</h1>
<p>Whatever goes wrong is answered with a Problem (RFC 9457). Its <code>code</code> is one of these.
To get help, quote its <code>requestId</code>.</p>
<ul class="jump" aria-label="Every code">
${Object.entries(problems).map(problemLink).join('\n')}
</ul>
${Object.entries(problems).map(problemSection).join('\n')}
<p><a href="./">Back to the start</a></p>
</main>`,
)

function problemLink([code, { status }]: [string, { status: number }]): string {
  return `<li><a href="#${code}">${status} <code>${code}</code></a></li>`
}

function problemSection([code, problem]: [
  string,
  (typeof problems)[keyof typeof problems],
]): string {
  return `<section id="${code}">
<h2>${problem.status} <code>${code}</code></h2>
<p><strong>${toHtml(problem.title)}.</strong> ${toHtml(problem.meaning)}</p>
<p>${toHtml(problem.remedy)}</p>
</section>`
}

/** Shows the document that the fragment of the address names, to whoever has a key. */
const documentPage = page(
  'Agents and Datastores: a document',
  `<main>
<h1 id="title">A document</h1>
<p id="state" role="status"></p>
<form id="give-key" hidden>
<label>Your key <input type="password" autocomplete="off" required></label>
<button>Read</button>
<p>The key may be of any reader. This tab keeps it until it is closed, and sends it to this server alone.</p>
</form>
<dl id="about"></dl>
<pre id="text" tabindex="0" hidden></pre>
<p><a href=".">Back to the start</a></p>
</main>`,
  { scripts: ['document.js'] },
)
