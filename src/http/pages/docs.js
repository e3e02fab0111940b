// Starts Swagger UI on /docs. A file of its own, for the page allows no script inside it.
const dark = window.matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

// The page knows its own address better than a server behind proxies, and may call no other.
const servers = [{ url: new URL('.', window.location.href).href.replace(/\/$/, '') }]
const Mended = {
  wrapComponents: {
    // Its link stands inside the button that opens the operation, where no keyboard reaches it.
    DeepLink:
      (_Link, { React }) =>
      ({ text }) =>
        React.createElement('span', null, text),
  },
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
  plugins: [Mended],
  deepLinking: true,
  persistAuthorization: true,
  // The validator it would ask is another server's.
  validatorUrl: null,
})

// What Swagger UI leaves without a name, or out of a keyboard's reach.
const names = {
  '#servers': 'Server',
  '.examples-select-element': 'Example',
  '.content-type': 'Media type',
  'textarea.body-param__text': 'Body',
  '.close-modal': 'Close',
  select: 'Value',
}
const mend = () => {
  for (const [selector, name] of Object.entries(names)) {
    const nameless = `${selector}:not([aria-label])`
    for (const element of document.querySelectorAll(nameless)) element.ariaLabel = name
  }
  // One that says another thing than it shows cannot be called by what it shows.
  for (const button of document.querySelectorAll('.btn[aria-label="Apply credentials"]')) {
    button.removeAttribute('aria-label')
  }
  for (const code of document.querySelectorAll('pre:not([tabindex])')) code.tabIndex = 0
}
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true })
