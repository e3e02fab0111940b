import { contractHistory } from '../../../generated/changes.gen.ts'
import { escaped, page } from './page.ts'

const headings = [
  ['breaks', 'Breaks those who keep to it'],
  ['warns', 'Is felt by some tools'],
  ['adds', 'Is new, or looser for those who keep to it'],
] as const

export const changesPage = page(
  'Agents and Datastores: changes',
  `<main>
<h1>Changes</h1>
<p>What the contract says otherwise than the one before it. <code>Contract-Version</code> in every answer says
which contract a server keeps to.</p>
${contractHistory.map(versionSection).join('\n')}
<p><a href="docs">Every operation</a>. <a href="./">Back to the start</a></p>
</main>`,
)

type Step = (typeof contractHistory)[number]

function versionSection({ version, since, changes }: Step): string {
  const parts = headings.filter(([kind]) => changes[kind].length > 0)
  return `<section id="${version}">
<h2>${version}, since ${since}</h2>
${parts.map(([kind, heading]) => `<h3>${heading}</h3>\n${list(changes[kind])}`).join('\n')}
</section>`
}

/** What is the same of many operations is one line, which opens. */
function list(lines: string[]): string {
  const groups = [...Map.groupBy(lines, whatOf)]
  return `<ul>\n${groups.map(([what, all]) => item(what, all)).join('\n')}\n</ul>`
}

/** The change itself, without its method, path and status. */
function whatOf(line: string): string {
  return line.replace(/^[A-Z]+ \/\S* (?:\d{3} )?(?=\S)/, '')
}

function item(what: string, [first = '', ...others]: string[]): string {
  if (others.length === 0) return `<li>${code(first)}</li>`
  const lines = [first, ...others].map((line) => `<li>${code(line)}</li>`).join('')
  return `<li><details><summary>${code(what)} in ${others.length + 1} places</summary>
<ul>${lines}</ul></details></li>`
}

function code(text: string): string {
  return `<code>${escaped(text)}</code>`
}
