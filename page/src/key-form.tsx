import { useState } from 'preact/hooks'
import { ProblemError } from '../../client/src/index.ts'
import { clientOf } from './shared/client.ts'
import { Tick } from './shared/choices.tsx'
import { Field, Form } from './shared/form.tsx'

/** Takes a key that the server takes. */
export function KeyForm({ onKey }: { onKey: (key: string, isKept: boolean) => void }) {
  const [key, setKey] = useState('')
  const [isKept, setKept] = useState(false)
  const check = async () => {
    try {
      await clientOf(key.trim()).listDatastores({ limit: 1 })
    } catch (reason) {
      // A key may be good for other things than this.
      if (!(reason instanceof ProblemError) || reason.code !== 'insufficient_scope') throw reason
    }
    onKey(key.trim(), isKept)
  }
  return (
    <main class="narrow">
      <h2>Give your key</h2>
      <p>
        The server printed it at its first start: a line that begins with <code>Your key</code>. It
        stays in this browser tab.
      </p>
      <Form class="stack" button="Go on" onSend={check}>
        <Field
          label="Key"
          type="password"
          autocomplete="off"
          required
          value={key}
          onValue={setKey}
        />
        <Tick
          label="Keep it in this browser, also when the tab is closed"
          checked={isKept}
          onTick={setKept}
        />
      </Form>
      <p class="quiet">
        The key is lost? Stop the server and run <code>npm run -s cli -- keys create</code>.
      </p>
    </main>
  )
}
