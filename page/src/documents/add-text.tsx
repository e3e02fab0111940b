import { useState } from 'preact/hooks'
import type { DatasourceSummary } from '../../../client/src/index.ts'
import type { ApiCall } from '../shared/calls.tsx'
import { useClient } from '../shared/client.ts'
import { counted } from '../shared/counted.ts'
import { Field, Form } from '../shared/form.tsx'
import { titleOf } from '../shared/titles.ts'
import { withMetadata } from './upload.ts'
import { sizeOf } from './uploads.tsx'

type Props = { datastoreId: string; metadata: string; onPut: (call: ApiCall) => void }

/** Takes a text that was typed or pasted, and shows what was made of it. */
export function AddText({ datastoreId, metadata, onPut }: Props) {
  const client = useClient()
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [stored, setStored] = useState<DatasourceSummary>()
  const put = async () => {
    setStored(undefined)
    checkLength(text)
    const documents = [{ text, ...(name && { name }), ...withMetadata(metadata) }]
    const { ids } = await client.upsertDocuments(datastoreId, { documents })
    setName('')
    setText('')
    onPut({ method: 'upsertDocuments', args: [datastoreId, { documents }] })
    for (const id of ids) setStored(await client.getDatasource(datastoreId, id))
  }
  return (
    <details>
      <summary>Paste a text</summary>
      <Form class="stack" button="Put it in" onSend={put}>
        <Field label="Name" maxLength={256} value={name} onValue={setName} />
        <Field label="Text" rows={6} dir="auto" required value={text} onValue={setText} />
      </Form>
      <p class="quiet done" role="status">
        {stored && (
          <>
            <bdi>{titleOf(stored)}</bdi> <span>{sizeOf(stored)}</span>
          </>
        )}
      </p>
    </details>
  )
}

/** @throws Error for a text that no document may have; letters beyond the BMP count once */
function checkLength(text: string): void {
  const [length, max] = [Array.from(text).length, 2 ** 20]
  if (length <= max) return
  const words = `The text has ${counted(length, 'character')}, and may have ${max.toLocaleString('en')}.`
  throw new Error(`${words} Put it in as a file, or in parts.`)
}
