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

function versionSection({ version, since, changes, reasons }: Step): string {
  const parts = headings.filter(([kind]) => changes[kind].length > 0)
  return `<section id="${version}">
<h2>${version}, since ${since}</h2>
${parts.map(([kind, heading]) => `<h3>${heading}</h3>\n${list(changes[kind], reasons)}`).join('\n')}
</section>`
}

/** Makes one line, which opens, of changes with one reason or of many operations. */
function list(lines: string[], reasons: Step['reasons']): string {
  const explained = new Set(reasons.flatMap(({ changes }) => changes))
  const groups = [
    ...Map.groupBy(
      lines.filter((line) => !explained.has(line)),
      whatOf,
    ),
  ]
  const items = [
    ...reasons
      .filter(({ changes }) => changes.some((line) => lines.includes(line)))
      .map(({ reason, changes }) => folded(escaped(reason), changes)),
    ...groups.map(([what, all]) =>
      all.length === 1 ? `<li>${code(all[0]!)}</li>` : folded(code(what), all),
    ),
  ]
  return `<ul>\n${items.join('\n')}\n</ul>`
}

/** The change without its method, path and status, except for new operations. */
function whatOf(line: string): string {
  return line.replace(/^[A-Z]+ \/\S*[^\s:] (?:\d{3} )?(?=\S)/, '')
}

function folded(summary: string, lines: string[]): string {
  const count = lines.length === 1 ? 'One place' : `${lines.length} places`
  return `<li>${summary}<details><summary>${count}</summary>
<ul>${lines.map((line) => `<li>${code(line)}</li>`).join('')}</ul></details></li>`
}

function code(text: string): string {
  return `<code>${escaped(text)}</code>`
}
