import { problems } from '../../../generated/problems.gen.ts'

/** Links are relative, so that they hold behind any prefix; `root` leads to where the pages are. */
const page = (
  title: string,
  body: string,
  { root = '', styles = ['style.css'] } = {},
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${styles.map((style) => `<link rel="stylesheet" href="${root}docs/${style}">\n`).join('')}<link rel="icon" type="image/png" href="${root}docs/favicon.png">
</head>
<body>
${body}
</body>
</html>
`

/** At a prefix without a slash at its end, plain relative links would lead beside it. */
export function homePage(prefix: string): string {
  const root = prefix && `${prefix}/`
  return page('Agents and Datastores', homeBody(root), { root })
}

const homeBody = (root: string): string => `<main>
<h1>Agents and Datastores</h1>
<p>This server keeps <em>agents</em>, configurable assistants, and <em>datastores</em>, collections of
documents. Put text in, ask in plain words, get the most similar fragments back.</p>
<dl>
<dt><a href="${root}docs">/docs</a></dt>
<dd>Every operation, to read and to try.</dd>
<dt><a href="${root}openapi.yaml">/openapi.yaml</a>, <a href="${root}openapi.json">/openapi.json</a></dt>
<dd>The interface as an OpenAPI 3.1 document, to generate a client from.</dd>
<dt><a href="${root}problems">/problems</a></dt>
<dd>Every error by its code: what it means and what to do.</dd>
<dt><a href="${root}health/ready">/health/ready</a></dt>
<dd>Whether the server can work.</dd>
</dl>
<h2>In one minute</h2>
<p>Every operation but health needs a key. The server printed the first one at its first start.</p>
<pre tabindex="0"><code>curl -X POST <span class="quiet">this address</span>/datastores \\
  -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -d '{"name": "library"}'</code></pre>
</main>`

export const docsPage = page(
  'Agents and Datastores: every operation',
  `<main id="swagger-ui"></main>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/docs.js"></script>`,
  { styles: ['swagger-ui.css', 'docs.css'] },
)

export const problemsPage = page(
  'Agents and Datastores: problems',
  `<main>
<h1>Problems</h1>
<p>Whatever goes wrong is answered with a Problem (RFC 9457). Its <code>code</code> is one of these.
To get help, quote its <code>requestId</code>.</p>
${Object.entries(problems).map(problemSection).join('\n')}
<p><a href="./">Back to the start</a></p>
</main>`,
)

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

function toHtml(markdown: string): string {
  return markdown
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
