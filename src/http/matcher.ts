import type { Operation } from 'openapi-backend'
import { MethodNotAllowed, ServiceError } from '../errors/errors.ts'

/** `params` are not decoded. */
export type Match = { operation: Operation; params: Record<string, string> }

type Route = {
  pattern: RegExp
  names: string[]
  literalLength: number
  operations: Map<string, Operation>
}

/** Finds operations by path. openapi-backend would compile its patterns for each request. */
export class Matcher {
  readonly #routes: Route[]

  constructor(operations: Operation[]) {
    const byPath = Map.groupBy(operations, ({ path }) => path)
    this.#routes = Array.from(byPath, ([path, ofPath]) => toRoute(path, ofPath))
    this.#routes.sort((a, b) => b.literalLength - a.literalLength)
  }

  /** HEAD is matched as GET. @throws ServiceError `unknown_path`, MethodNotAllowed */
  match(method: string, path: string): Match {
    for (const { pattern, names, operations } of this.#routes) {
      const values = pattern.exec(path)
      if (!values) continue
      const operation = operations.get(method === 'HEAD' ? 'GET' : method)
      if (!operation) throw new MethodNotAllowed(allowed(operations.keys()))
      const params = Object.fromEntries(names.map((name, index) => [name, values[index + 1] ?? '']))
      return { operation, params }
    }
    throw this.#unknown(path)
  }

  /** The methods of a path. `*` stands for the server. @throws ServiceError `unknown_path` */
  methods({ originalUrl, path }: { originalUrl: string; path: string }): string[] {
    const routes = this.#routes.filter(({ pattern }) => originalUrl === '*' || pattern.test(path))
    if (routes.length === 0) throw this.#unknown(path)
    return allowed(routes.flatMap(({ operations }) => Array.from(operations.keys())))
  }

  /** Two paths begin with /api and the others do not, which is easily mixed up. */
  #unknown(path: string): ServiceError {
    const other = path.startsWith('/api/') ? path.slice('/api'.length) : `/api${path}`
    const isKnown = this.#routes.some(({ pattern }) => pattern.test(other))
    const hint = isKnown ? ` Did you mean ${other}?` : hintOf(path)
    return new ServiceError('unknown_path', `The service has no such path.${hint}`)
  }
}

function toRoute(path: string, operations: Operation[]): Route {
  const literals = path.split(/\{[^}]+\}/)
  return {
    pattern: new RegExp(`^${literals.map((literal) => RegExp.escape(literal)).join('([^/]+)')}$`),
    names: Array.from(path.matchAll(/\{([^}]+)\}/g), (match) => match[1] ?? ''),
    literalLength: literals.join('').length,
    operations: new Map(operations.map((operation) => [operation.method.toUpperCase(), operation])),
  }
}

const allowed = (methods: Iterable<string>): string[] => {
  const all = [...new Set(methods)]
  return [...all.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)), 'OPTIONS']
}

const slashInKey = /^\/datastores\/[^/]+\/(?:documents|files)\/.+\//

function hintOf(path: string): string {
  if (path.includes('//')) {
    return ' It has two slashes in a row: is there one at the end of the base address?'
  }
  if (path.endsWith('/')) return ' Leave out the slash at its end.'
  return slashInKey.test(path) ? ' Write a slash of a key as %2F.' : ''
}
