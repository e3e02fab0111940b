type Example = { value: unknown }
type Media = { content: { 'application/json': { examples: Record<string, Example> } } }
type Operation = { operationId: string; requestBody: Media; responses: Record<string, Media> }
type Contract = { paths: Record<string, { post?: Operation }> }

/** A shell command that calls an operation, as an example of the contract does, and its answer there. */
export type Step = { command: string; answer: string }

/** From nothing to an answer, at this address. The shell has the key in `API_KEY`. */
export function firstSteps(
  contract: object,
  address: string,
): Record<'make' | 'fill' | 'ask', Step> {
  const call = caller(contract as Contract, address)
  const made = call('createDatastore', 'library', '201', 'datastore')
  return {
    make: { ...made, command: `${made.command} | tee datastore.json\n${takeId}` },
    fill: call('upsertDocuments', 'two', '200', 'two'),
    ask: call('queryDatastore', 'filtered', '200', 'one'),
  }
}

const takeId = "DATASTORE=$(grep -o 'dst_[0-9a-f]*' datastore.json)"

const caller =
  ({ paths }: Contract, address: string) =>
  (operationId: string, request: string, status: string, response: string): Step => {
    const [path, item] = Object.entries(paths).find(
      ([, { post }]) => post?.operationId === operationId,
    )!
    const { requestBody, responses } = item.post!
    const url = address + path.replace(/\{\w+\}/, () => '$DATASTORE')
    const body = toText(exampleOf(requestBody, request), '  ')
    return {
      command: [
        `curl -s ${url} \\`,
        `  -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' \\`,
        `  -d '${body.replaceAll("'", "'\\''")}'`,
      ].join('\n'),
      answer: toText(exampleOf(responses[status]!, response)),
    }
  }

const exampleOf = ({ content }: Media, name: string): unknown =>
  content['application/json'].examples[name]!.value

/** JSON as a person writes it: what fits into a line stays on it. */
function toText(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const isArray = Array.isArray(value)
  const parts = Object.entries(value).map(([key, child]) =>
    isArray ? toText(child, inner) : `"${key}": ${toText(child, inner)}`,
  )
  const [open, close] = isArray ? ['[', ']'] : ['{', '}']
  const line = open + parts.join(', ') + close
  if (line.length <= maxLine && !line.includes('\n')) return line
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
}

const maxLine = 70
