/** A plugin of Swagger UI: by the `links` of an answer, its ids are filled in where they are needed next. */
export function links() {
  /** Members of request bodies, by operation. */
  const bodies = new Map()
  return {
    statePlugins: {
      spec: {
        wrapActions: {
          setResponse: (set, system) => (path, method, response) => {
            for (const { to, parameters, body } of found(system, [path, method], response)) {
              for (const [name, value] of Object.entries(parameters)) {
                system.specActions.changeParam(to, name, 'path', value)
              }
              bodies.set(String(to), { ...bodies.get(String(to)), ...body })
            }
            return set(path, method, response)
          },
        },
      },
    },
    wrapComponents: {
      RequestBody:
        (Original, { React }) =>
        (props) => {
          const [, path, method] = props.specPath
          const requestBody = withMembers(props.requestBody, bodies.get(String([path, method])))
          return React.createElement(Original, { ...props, requestBody })
        },
    },
  }
}

/** The links of an answer with their values; without those that it has none for, such as an upsert of nothing. */
function found({ specSelectors }, from, response) {
  const { paths } = specSelectors.specJson().toJS()
  const [path, method] = from
  const value = valueIn(specSelectors.parameterValues(from), response.body)
  return Object.values(paths[path][method].responses[response.status]?.links ?? {})
    .map((link) => ({
      to: pathMethodOf(paths, link.operationId),
      parameters: mapped(link.parameters, value),
      body: mapped(link['x-request-body'] ?? {}, value),
    }))
    .filter(
      ({ parameters, body }) => !Object.values({ ...parameters, ...body }).includes(undefined),
    )
}

/** The value of an expression of OpenAPI: `$request.path.id`, `$response.body#/id`. */
const valueIn = (sent, body) => (expression) => {
  const [, name, pointer] = /^\$(?:request\.path\.(.+)|response\.body#\/(.+))$/.exec(expression)
  if (name) return sent.get(`path.${name}`)
  return pointer.split('/').reduce((node, key) => node?.[key], body)
}

const pathMethodOf = (paths, operationId) =>
  Object.entries(paths)
    .flatMap(([path, item]) => Object.keys(item).map((method) => [path, method]))
    .find(([path, method]) => paths[path][method].operationId === operationId)

const mapped = (object, change) =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.map(change) : change(value),
    ]),
  )

const withMembers = (requestBody, members = {}) =>
  Object.keys(members).length === 0
    ? requestBody
    : requestBody.updateIn(['content', 'application/json', 'examples'], (examples) =>
        examples.map((example) => example.update('value', (value) => value.merge(members))),
      )
