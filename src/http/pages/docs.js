// Starts Swagger UI on /docs. A file of its own, for the page allows no script inside it.
const dark = window.matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

window.SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '/openapi.json',
  layout: 'BaseLayout',
  deepLinking: true,
  persistAuthorization: true,
  // The validator it would ask is another server's.
  validatorUrl: null,
})
