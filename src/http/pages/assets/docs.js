// Starts Swagger UI on /docs. A file of its own, because the page allows no inline script.
import { errors } from './errors.js'
import { links } from './links.js'
import { mendNames } from './names.js'

const dark = window.matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

// The page knows its own address better than a server behind proxies, and may call no other.
const servers = [{ url: new URL('.', window.location.href).href.replace(/\/$/, '') }]

/** Collapses the description, so that the operations are on the first screen. */
const folded = ({ description, ...info }) => {
  const titles = Array.from(description.matchAll(/^## (.*)$/gm), ([, title]) => title)
  const summary = `<summary>How it works: ${titles.join(', ')}</summary>`
  return { ...info, description: `<details>${summary}\n\n${description}\n\n</details>` }
}

/** Swagger UI fills forms with examples, and so would put each file under one key. */
const unfilled = ({ schemas, ...components }) => {
  const empty = (name) => ({ [name]: { ...schemas[name], examples: [''] } })
  return { ...components, schemas: { ...schemas, ...empty('NewKey'), ...empty('DatasourceName') } }
}

const withoutEmptyParts = (request) => {
  if (!(request.body instanceof FormData)) return request
  for (const name of new Set(request.body.keys()))
    if (request.body.get(name) === '') request.body.delete(name)
  return request
}

const fixes = {
  wrapComponents: {
    // Swagger UI puts the link inside the button that opens the operation, where no keyboard reaches it.
    DeepLink:
      (_Link, { React }) =>
      ({ text }) =>
        React.createElement('span', null, text),
  },
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (spec) =>
          update({
            ...spec,
            servers,
            info: folded(spec.info),
            components: unfilled(spec.components),
          }),
      },
    },
  },
}

const { layoutActions, authActions, authSelectors } = window.SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: 'openapi.json',
  layout: 'BaseLayout',
  plugins: [fixes, links, errors],
  deepLinking: true,
  requestInterceptor: withoutEmptyParts,
  persistAuthorization: true,
  // The default validator is another company's server.
  validatorUrl: null,
})
mendNames()
// Swagger UI follows a deep link only when the page is loaded.
window.addEventListener('hashchange', () => layoutActions.parseDeepLinkHash(window.location.hash))

document.querySelector('#give-key').addEventListener('click', () => {
  authActions.showDefinitions(authSelectors.definitionsToAuthorize())
})
