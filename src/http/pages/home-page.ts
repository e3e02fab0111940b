import { escaped, page } from './page.ts'

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
<h2>Five minutes</h2>
<p>Every operation but <code>/health/…</code> needs a key. The server printed the first one at its first start. Give it
to your shell:</p>
${copyable('export API_KEY=ads_initial_…')}
<h3>Make a datastore</h3>
${copyable(make(address))}
<h3>Put two documents in</h3>
${copyable(fill(address))}
<h3>Ask</h3>
<p>With <code>custom_ids</code>, only the documents of one customer are searched.</p>
${copyable(ask(address))}
<p>The fragments come back, best first:</p>
<pre tabindex="0"><code>${escaped(answer)}</code></pre>
<p>Or take the same three steps <a href="${root}docs#/datastores/createDatastore">on /docs</a>, without a
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

// README has these very steps.

const make = (address: string): string => `curl -s ${address}/datastores \\
  -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' \\
  -d '{"name": "library"}' | tee datastore.json
DATASTORE=$(grep -o 'dst_[0-9a-f]*' datastore.json)`

const fill = (address: string): string => `curl -s ${address}/api/datastores/upsert/$DATASTORE \\
  -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' \\
  -d '{"documents": [
        {"text": "The library opens at nine in the morning, Monday to Saturday.",
         "name": "Opening hours",
         "metadata": {"source_url": "https://library.example/hours", "custom_id": "main-street"}},
        {"text": "Books may be kept for four weeks and renewed twice."}]}'`

const ask = (address: string): string => `curl -s ${address}/datastores/$DATASTORE/query \\
  -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' \\
  -d '{"query": "When does the library open?", "filters": {"custom_ids": ["main-street"]}}'`

const answer = `[
  {
    "text": "The library opens at nine in the morning, Monday to Saturday.",
    "score": 0.319926,
    "source": "https://library.example/hours",
    "datasource_id": "src_0d6f2b8c41e94a7f9c53e7a1000",
    "datasource_name": "Opening hours"
  }
]`
