import { useState } from 'preact/hooks'
import { useClient } from './shared/client.ts'
import { Field, Form } from './shared/form.tsx'
import { goTo } from './shared/place.ts'

/** Makes a datastore by its name, and leads to its documents. */
export function DatastoreMaker({ onMade }: { onMade?: () => void }) {
  const client = useClient()
  const [name, setName] = useState('')
  const make = async () => {
    const { id } = await client.createDatastore({ name })
    onMade?.()
    goTo({ pane: 'documents', datastore: id })
  }
  return (
    <Form button="Make it" onSend={make}>
      <Field
        label="Name of the new datastore"
        required
        maxLength={256}
        value={name}
        onValue={setName}
      />
    </Form>
  )
}
