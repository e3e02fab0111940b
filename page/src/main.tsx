import { render } from 'preact'
import { App } from './app.tsx'

const place = document.querySelector('#playground')
if (place) {
  place.replaceChildren()
  render(<App />, place)
}
