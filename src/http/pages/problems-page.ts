import { problems } from '../../../generated/problems.gen.ts'
import { escaped, page } from './page.ts'

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
  return escaped(markdown).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
