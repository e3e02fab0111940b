// Starts Swagger UI on /docs. A file of its own, for the page allows no script inside it.
const dark = window.matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

// The page knows its own address better than a server behind proxies, and may call no other.
const servers = [{ url: new URL('.', window.location.href).href.replace(/\/$/, '') }]
const AtThisAddress = {
  statePlugins: {
    spec: {
      wrapActions: { updateJsonSpec: (update) => (spec) => update({ ...spec, servers }) },
    },
  },
}

window.SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: 'openapi.json',
  layout: 'BaseLayout',
  plugins: [AtThisAddress],
  deepLinking: true,
  persistAuthorization: true,
  // The validator it would ask is another server's.
  validatorUrl: null,
})
