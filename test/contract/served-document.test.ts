import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Answer, complaint, document, type Json, operations } from '../support/contract.ts'
import { named } from '../support/requests.ts'
import { joinServer } from '../support/server.ts'
import { yamlFaults } from '../support/yaml.ts'

const { url } = await joinServer()
const yaml = await fetch(`${url}/openapi.yaml`)
const text = await yaml.text()
const json = await fetch(`${url}/openapi.json`)
const served = await json.json()

const { components } = served
const errorsOf = (path: string, method: string) => {
  const answers: [string, Answer][] = Object.entries(served.paths[path][method].responses)
  return answers.flatMap(([status, { content = {} }]) =>
    Object.values(content).flatMap(({ examples = {} }) =>
      Object.values(examples).flatMap((example) => {
        const { $ref } = example as { $ref?: string }
        const { value } = $ref ? components.examples[$ref.split('/').at(-1)!] : example
        return Number(status) < 400
          ? []
          : [{ ...value, status: Number(value.status), answered: Number(status) }]
      }),
    ),
  )
}

test('the served document is the same as YAML and as JSON', () => {
  expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8')
  expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(parse(text)).toEqual(served)
  expect(parse(text, { version: '1.1' })).toEqual(served)
  expect(yamlFaults(text)).toEqual([])
})

test('the served document is the contract but for its answers, examples, scopes, and the places of parameters', () => {
  const rest = ({ components: own, paths, ...all }: typeof served) => ({
    ...all,
    components: withoutExamples({ ...own, examples: 0, responses: 0 }),
    paths: JSON.parse(
      JSON.stringify(paths, (key, value) =>
        ['responses', 'parameters'].includes(key) ? undefined : withoutScope(value),
      ),
    ),
  })
  const servers = [{ ...document.servers[0], url }]
  const externalDocs = { ...document.externalDocs, url: `${url}/changes` }
  expect(rest(served)).toEqual(rest({ ...document, servers, externalDocs }))
})

test('the answers of an operation are those of the contract, but for the examples of its errors', () => {
  for (const { path, method, responses } of operations) {
    const own = served.paths[path][method.toLowerCase()].responses
    const whole = JSON.stringify(own, (_, value) =>
      value?.$ref?.startsWith('#/components/schemas/') ? value : resolvedIn(served, value),
    )
    expect(withoutProblems(JSON.parse(whole))).toEqual(withoutProblems(responses))
  }
})

test('each operation that needs a scope says so', () => {
  for (const { path, method, security } of operations) {
    const { description } = served.paths[path][method.toLowerCase()]
    const [scope] = security.flatMap(({ bearer = [] }) => bearer)
    expect(description.includes(`Needs the scope \`${scope}\``)).toBe(scope !== undefined)
  }
})

const withoutScope = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/\n\nNeeds the scope `[a-z:]+`\.\n$/, '\n') : value

const resolvedIn = (whole: typeof served, node: { $ref?: string } | null) =>
  node?.$ref
    ?.split('/')
    .slice(1)
    .reduce((found, key) => found[key], whole) ?? node

/** Errors without their examples. */
const withoutProblems = (responses: Record<string, Answer>) =>
  Object.entries(responses).map(([status, { content = {}, ...answer }]) => {
    const { 'x-problems': _, ...rest } = answer as { 'x-problems'?: object }
    const media = Object.entries(content).map(([type, { schema, examples }]) => [
      type,
      schema,
      Number(status) < 400 && examples,
    ])
    return [status, rest, media]
  })

const withoutExamples = <T>(node: T): T =>
  JSON.parse(
    JSON.stringify(node, (key, value) =>
      key === 'examples' && Array.isArray(value) ? undefined : value,
    ),
  )

test('each operation has its parameters itself, for Swagger UI names no others at a deep link', () => {
  for (const { path, method, parameters } of operations) {
    const own: { $ref?: string }[] = served.paths[path][method.toLowerCase()].parameters ?? []
    const found = own.map(({ $ref, ...inline }) =>
      $ref ? components.parameters[$ref.split('/').at(-1)!] : inline,
    )
    expect(withoutExamples(found)).toEqual(expect.arrayContaining(withoutExamples(parameters)))
    expect(found).toHaveLength(parameters.length)
    expect(served.paths[path]).not.toHaveProperty('parameters')
  }
})

type Schema = { $ref?: string; type?: string | string[]; examples?: Json[]; properties?: object }
const schemas: Record<string, Schema> = components.schemas

test('each property that holds a single value has an example, which its schema takes', () => {
  for (const [name, { properties = {} }] of Object.entries(schemas)) {
    for (const [member, property] of Object.entries(properties)) {
      const { type, examples, ...rest } = resolved(property)
      const isSingle = !['object', 'array'].includes([type].flat()[0]!)
      if (!isSingle || 'allOf' in rest || 'oneOf' in rest) continue
      expect(examples, `${name}.${member}`).toHaveLength(1)
      expect(complaint(property, examples![0]), `${name}.${member}`).toBeUndefined()
    }
  }
})

const resolved = ({ $ref, ...own }: Schema): Schema =>
  $ref ? { ...resolved(schemas[$ref.split('/').at(-1)!]!), ...own } : own

test('every success is written in place, whole', () => {
  for (const { path, method } of operations) {
    const answers = served.paths[path][method.toLowerCase()].responses
    for (const status of Object.keys(answers)) expect(answers[status]).not.toHaveProperty('$ref')
  }
})

describe.each(named(operations))('%s', (_, { path, method, security, responses }) => {
  const errors = errorsOf(path, method.toLowerCase())

  test('each error has an example of its own path, status and scope', () => {
    const template = new RegExp(`^${path.replaceAll(/\{.+?\}/g, '[^/{}]+')}$`)
    const statuses = Object.keys(responses).map(Number)
    expect([...new Set(errors.map(({ answered }) => answered))]).toEqual(
      statuses.filter((status) => status >= 400),
    )
    for (const { answered, ...problem } of errors) {
      expect(problem.instance).toMatch(template)
      expect(problem.status).toBe(answered)
      expect(complaint(document.components.schemas.Problem, problem)).toBeUndefined()
      expect(document['x-problems'][problem.code].status).toBe(answered)
      if (answered === 403) expect(problem.detail).toContain(` ${security[0]!.bearer![0]}.`)
    }
  })

  test('what there is none of is the thing of its path', () => {
    const thing = {
      agt: 'agent',
      cnv: 'conversation',
      dst: 'datastore',
      src: 'datasource',
      ope: 'document',
    }
    for (const { answered, detail } of errors) {
      if (answered !== 404) continue
      const [, noun, id = ''] = /^There is no (\w+) (\S+)\.$/.exec(detail) ?? []
      expect(noun).toBe(thing[id.slice(0, 3) as keyof typeof thing] ?? 'key')
    }
  })
})
