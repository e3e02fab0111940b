import { useRef, useState } from 'preact/hooks'
import { ClientContext, clientOf } from './shared/client.ts'
import { forgetKey, keepKey, storedKey, useKeyInAddress } from './shared/key.ts'
import { KeyForm } from './key-form.tsx'
import { Theme } from './theme.tsx'
import { Workbench } from './workbench.tsx'

/** The whole page: with a key what it opens, without one the form that takes it. */
export function App() {
  const [key, setKey] = useState(storedKey)
  const [client, setClient] = useState(() => clientOf(key ?? ''))
  const isSending = useRef(false)
  const take = (next: string, isKept: boolean) => {
    keepKey(next, isKept)
    setClient(clientOf(next))
    setKey(next)
  }
  useKeyInAddress((next) => take(next, false))
  const leave = () => {
    if (isSending.current && !window.confirm('Files are being put in. Stop, and use another key?'))
      return
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
      {key ? <Workbench key={key} isSending={isSending} /> : <KeyForm onKey={take} />}
    </ClientContext.Provider>
  )
}

/** Identifies a key without its secret. */
const nameOf = (key: string): string => /^ads_[a-z0-9]+/.exec(key)?.[0] ?? 'of your own'
