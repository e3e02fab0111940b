import { useState } from 'preact/hooks'
import { type CreatedKey, Scope } from '../../../client/src/index.ts'
import { useClient } from '../shared/client.ts'
import { Tick } from '../shared/choices.tsx'
import { Field, Form } from '../shared/form.tsx'

const scopes = Object.values(Scope)

/** Makes a key of some scopes. */
export function KeyMaker({ onMade }: { onMade: (key: CreatedKey) => void }) {
  const client = useClient()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<Scope[]>(['datastores:read', 'agents:query'])
  const [day, setDay] = useState('')
  const make = async () => {
    const expiresAt = day ? new Date(day).toISOString() : undefined
    onMade(await client.createKey({ name, scopes: chosen, ...(expiresAt && { expiresAt }) }))
    setName('')
  }
  const toggle = (scope: Scope) =>
    setChosen(scopes.filter((one) => chosen.includes(one) !== (one === scope)))
  return (
    <Form button="Make the key" onSend={make}>
      <Field label="Name of the new key" required maxLength={256} value={name} onValue={setName} />
      <Field label="Expires on" type="date" isShort value={day} onValue={setDay} />
      <fieldset class="row">
        <legend>It may</legend>
        {scopes.map((scope) => (
          <Tick
            key={scope}
            label={scope}
            checked={chosen.includes(scope)}
            onTick={() => toggle(scope)}
          />
        ))}
      </fieldset>
    </Form>
  )
}
