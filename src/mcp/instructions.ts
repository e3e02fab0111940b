import type { DefinedTool, ToolContext } from './tool.ts'
import { shortened } from './text-parts.ts'

/** In bytes. An assistant holds them in all of its conversations. */
const maxLength = 2_000
const maxName = 80
const maxDescription = 150
const maxListed = 20

export async function instructionsOf(
  summary: string,
  tools: readonly DefinedTool[],
  context: ToolContext,
): Promise<string> {
  const names = new Set(tools.map(({ name }) => name))
  const uses = Object.entries(howTo).flatMap(([name, use]) => (names.has(name) ? use : []))
  const head = [summary, ...uses].join('\n')
  const [datastores, agents] = await Promise.all([
    names.has('search') ? datastoreLines(context) : [],
    names.has('ask') && context.by.caller.scopes.includes('agents:read') ? agentLines(context) : [],
  ])
  const room = maxLength - bytesOf(head)
  const ofAgents = listed('Agents', agents, room / 2)
  const ofDatastores = listed('Datastores', datastores, room - bytesOf(ofAgents))
  return head + ofDatastores + ofAgents
}

const howTo: Record<string, string> = {
  search:
    '`search` finds passages in all datastores, or in one that you name. Cite `url`. `fetch` gives a whole document.',
  list_documents: '`list_documents` shows what a datastore holds.',
  ask: '`ask` has an agent answer from its documents, with citations, or say that they do not cover the question.',
}

async function datastoreLines({ call, by, datastores }: ToolContext): Promise<string[]> {
  const first = await datastores.first(maxListed + 1)
  const lines = await Promise.all(
    first.slice(0, maxListed).map(async ({ id, value }) => {
      const counted = await call('getDatastore', { path: { id } }, by).catch(() => undefined)
      const about = value.description ? `. ${shortened(value.description, maxDescription)}` : ''
      return `- ${shortened(value.name, maxName)}${sizeOf(counted)}${about}`
    }),
  )
  return first.length > maxListed ? [...lines, more] : lines
}

const sizeOf = (counted: { datasourceCount: number } | undefined): string => {
  if (!counted) return ''
  const { datasourceCount: count } = counted
  return count === 1 ? ': 1 document' : `: ${count} documents`
}

async function agentLines({ call, by }: ToolContext): Promise<string[]> {
  const { data, nextCursor } = await call('listAgents', { query: { limit: maxListed } }, by)
  const lines = data.map(({ name, description }) =>
    [`- ${shortened(name, maxName)}`, shortened(description, maxDescription)]
      .filter(Boolean)
      .join(': '),
  )
  return nextCursor === null ? lines : [...lines, more]
}

const more = '- and more'

function listed(title: string, lines: string[], room: number): string {
  if (lines.length === 0) return ''
  let text = `\n\n${title}:`
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1
    const after = `${text}\n${line}`
    if (bytesOf(isLast ? after : `${after}\n${more}`) > room) return `${text}\n${more}`
    text = after
  }
  return text
}

const bytesOf = (text: string): number => Buffer.byteLength(text)
