import { useState } from 'preact/hooks'
import { ClientContext, clientOf } from './shared/client.ts'
import { forgetKey, keepKey, storedKey, useKeyInAddress } from './shared/key.ts'
import { KeyForm } from './key-form.tsx'
import { Theme } from './theme.tsx'
import { Workbench } from './workbench.tsx'

/** The whole page: with a key what it opens, without one the form that takes it. */
export function App() {
  const [key, setKey] = useState(storedKey)
  const [client, setClient] = useState(() => clientOf(key ?? ''))
  const take = (next: string, isKept: boolean) => {
    keepKey(next, isKept)
    setClient(clientOf(next))
    setKey(next)
  }
  useKeyInAddress((next) => take(next, false))
  const leave = () => {
    if (isHeld() && !window.confirm('Files are being put in. Stop, and use another key?')) return
    forgetKey()
    setKey(undefined)
  }
  return (
    <ClientContext.Provider value={client}>
      <header class="top">
        <h1>Playground</h1>
        <nav aria-label="Pages">
          <a href="./">Start</a>
          <a href="docs">API</a>
        </nav>
        <Theme />
        {key && (
          <p class="key">
            <span>Key {nameOf(key)}</span> <button onClick={leave}>Use another key</button>
          </p>
        )}
      </header>
      {key ? <Workbench key={key} /> : <KeyForm onKey={take} />}
    </ClientContext.Provider>
  )
}

/** Whether something would ask before the tab is closed. */
const isHeld = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

/** What tells one key from another, without its secret. */
const nameOf = (key: string): string => /^ads_[a-z0-9]+/.exec(key)?.[0] ?? 'of your own'
