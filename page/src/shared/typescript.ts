import type { ApiCall } from './calls.tsx'
import { baseUrl } from './client.ts'

/** A call as a program with the client package, which reads the key from `API_KEY`. */
export function typeScriptOf({ method, args, isStream }: ApiCall): string {
  const values = args.map(written).join(', ')
  const call = `client.${method}(${values})`
  return [
    "import { AgentsDatastores } from 'agents-datastores-client'",
    '',
    `const client = new AgentsDatastores({ baseUrl: ${written(baseUrl)} })`,
    isStream ? `for await (const event of ${call}) {` : `const result = await ${call}`,
    ...(isStream ? ['  console.log(event)', '}'] : ['console.log(result)']),
  ].join('\n')
}

/** A value as it is written in a program. */
function written(value: unknown): string {
  if (value instanceof File) return written({ path: value.name })
  if (typeof value === 'string') {
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  }
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const body = members.map(([name, member]) => `${nameOf(name)}: ${written(member)}`)
  return `{ ${body.join(', ')} }`
}

const nameOf = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : written(name))
