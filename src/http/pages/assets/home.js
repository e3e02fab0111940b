// The commands on / get the address that the browser knows, and a button that copies them.
const main = document.querySelector('main')
const docs = document.querySelector('nav a').href
const address = new URL('.', docs).href.replace(/\/$/, '')

for (const block of document.querySelectorAll('.block')) {
  const code = block.querySelector('code')
  code.textContent = code.textContent.replaceAll(main.dataset.address, address)
  // Browsers let pages copy only over HTTPS and from their own machine.
  if (navigator.clipboard) block.append(copyButton(code))
}

function copyButton(code) {
  const button = document.createElement('button')
  button.textContent = 'Copy'
  button.addEventListener('click', () => void copy(code.textContent, button))
  return button
}

async function copy(text, button) {
  await navigator.clipboard.writeText(text)
  button.textContent = 'Copied'
}
