import { render } from 'preact'
import { App } from './app.tsx'
import { keepFocus } from './shared/keep-focus.ts'

const root = document.querySelector('#playground')
if (root) {
  root.replaceChildren()
  render(<App />, root)
  keepFocus(root)
}
