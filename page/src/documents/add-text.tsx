import { useState } from 'preact/hooks'
import { useClient } from '../shared/client.ts'
import { Field, Form } from '../shared/form.tsx'

/** Takes a text that was typed or pasted. */
export function AddText({ datastoreId, onChange }: { datastoreId: string; onChange: () => void }) {
  const client = useClient()
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const put = async () => {
    await client.upsertDocuments(datastoreId, { documents: [{ text, ...(name && { name }) }] })
    setName('')
    setText('')
    onChange()
  }
  return (
    <details>
      <summary>Paste a text</summary>
      <Form class="stack" button="Put it in" onSend={put}>
        <Field label="Name" maxLength={256} value={name} onValue={setName} />
        <Field label="Text" rows={6} dir="auto" required value={text} onValue={setText} />
      </Form>
    </details>
  )
}
