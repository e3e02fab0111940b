/** Names what Swagger UI leaves without a name, and brings what it shows within a keyboard's reach. */
export function mendNames() {
  mend()
  new MutationObserver(mend).observe(document.body, { childList: true, subtree: true })
}

const names = {
  '#servers': 'Server',
  '.examples-select-element': 'Example',
  '.content-type': 'Media type',
  'textarea.body-param__text': 'Body',
  '.close-modal': 'Close',
  select: 'Value',
}

function mend() {
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
