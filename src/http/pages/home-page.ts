import { firstSteps, type Step } from '../../../generated/first-steps.gen.ts'
import { escaped, page, toHtml } from './page.ts'

const [byCommandLine, overHttp] = firstSteps

/** The start page for an address, whose path is the prefix of all links. */
export function homePage(address: string): string {
  const prefix = new URL(address).pathname.replace(/\/$/, '')
  // At a prefix without a trailing slash, relative links would lead beside it.
  const root = prefix && `${prefix}/`
  const options = { root, scripts: ['home.js'] }
  return page('Agents and Datastores', homeBody(address, root), options)
}

function homeBody(address: string, root: string): string {
  return `<main data-address="${address}">
<h1>Agents and Datastores</h1>
<p>Put text in, ask in plain words, get the most similar fragments back. This server keeps
<em>datastores</em>, collections of documents, and <em>agents</em>, which answer from them.</p>
<nav aria-label="Pages">
<a href="${root}playground"><b>/playground</b> Try it with your own documents, and see what is quoted.</a>
<a href="${root}docs"><b>/docs</b> Every operation, to read and to try here in the browser.</a>
<a href="${root}openapi.yaml"><b>/openapi.yaml</b> The contract (OpenAPI 3.1), to make a client from.</a>
<a href="${root}problems"><b>/problems</b> Every error: what it means and what to do.</a>
<a href="${root}changes"><b>/changes</b> What the contract says otherwise than before.</a>
</nav>
<h2>First steps</h2>
<p>Every operation but <code>/health/…</code> needs a key. The server printed the first one at its first start.</p>
<h3>By the command line</h3>
<p>The command line is in the folder of the service. Give your shell this server's address:</p>
${copyable(`export SERVICE_URL=${address}`)}
${byCommandLine.map((step) => stepHtml(step, address)).join('\n')}
<h3>Over HTTP</h3>
${overHttp.map((step) => stepHtml(step, address)).join('\n')}
<p>Or take the steps <a href="${root}docs#/datastores/createDatastore">on /docs</a>, without a
shell.</p>
<h2>Good to know</h2>
<ul>
<li>The key is lost? Stop the server and run <code>npm run -s cli -- keys create</code>.</li>
<li><a href="${root}health/ready">/health/ready</a> says whether the server can work.</li>
<li><a href="${root}openapi.json">/openapi.json</a> is the contract in JSON.</li>
</ul>
</main>`
}

const copyable = (text: string): string =>
  `<div class="block"><pre tabindex="0"><code>${escaped(text)}</code></pre></div>`

function stepHtml({ kind, text }: Step, address: string): string {
  if (kind === 'paragraph') return `<p>${toHtml(text)}</p>`
  if (kind === 'command') return copyable(text.replaceAll(addressInReadme, address))
  return `<pre tabindex="0"><code>${escaped(readable(text))}</code></pre>`
}

const addressInReadme = 'http://127.0.0.1:3000'

/** JSON is one line there. */
const readable = (text: string): string =>
  /^[[{]/.test(text) ? JSON.stringify(JSON.parse(text), null, 2) : text
