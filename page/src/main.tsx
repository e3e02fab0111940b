import { render } from 'preact'
import { App } from './app.tsx'
import { keepFocus } from './shared/kept-focus.ts'

const place = document.querySelector('#playground')
if (place) {
  place.replaceChildren()
  render(<App />, place)
  keepFocus(place)
}
