import { useState } from 'preact/hooks'
import { useClient } from '../shared/client.ts'
import { Field, Form } from '../shared/form.tsx'
import { type AddProps, withMetadata } from './upload.ts'

/** Takes a text that was typed or pasted. */
export function AddText({ datastoreId, metadata, onChange }: AddProps) {
  const client = useClient()
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const put = async () => {
    const document = { text, ...(name && { name }), ...withMetadata(metadata) }
    await client.upsertDocuments(datastoreId, { documents: [document] })
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
