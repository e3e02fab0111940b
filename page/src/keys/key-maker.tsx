import { useState } from 'preact/hooks'
import { type CreatedKey, Scope } from '../../../client/src/index.ts'
import { useClient } from '../shared/client.ts'
import { anExample, Calls } from '../shared/calls.tsx'
import { Tick } from '../shared/choices.tsx'
import { Field, Form } from '../shared/form.tsx'
import { scopesInWords } from '../shared/scopes.tsx'

const scopes = Object.values(Scope)

/** A key goes as its day begins in UTC, which must be to come. */
const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)

/** Makes a key of some scopes. */
export function KeyMaker({ onMade }: { onMade: (key: CreatedKey) => void }) {
  const client = useClient()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<Scope[]>(['agents:read', 'agents:query', 'datastores:read'])
  const [workspace, setWorkspace] = useState('')
  const [day, setDay] = useState('')
  const body = {
    name,
    scopes: chosen,
    ...(day && { expiresAt: `${day}T00:00:00Z` }),
    ...(workspace && { workspace }),
  }
  const make = async () => {
    if (chosen.length === 0) throw new Error('Tick at least one thing that the key may do.')
    onMade(await client.createKey(body))
    setName('')
  }
  const toggle = (scope: Scope) =>
    setChosen(scopes.filter((one) => chosen.includes(one) !== (one === scope)))
  return (
    <>
      <Form button="Make the key" onSend={make}>
        <Field
          label="Name of the new key"
          required
          maxLength={256}
          value={name}
          onValue={setName}
        />
        <Field
          label="Expires on"
          type="date"
          isShort
          min={tomorrow()}
          value={day}
          onValue={setDay}
        />
        <Field
          label="Workspace, if another"
          isShort
          pattern="[a-z0-9\-]+"
          title="Small letters, digits and hyphens"
          maxLength={63}
          value={workspace}
          onValue={setWorkspace}
        />
        <fieldset class="row">
          <legend>It may</legend>
          {scopes.map((scope) => (
            <Tick
              key={scope}
              label={`${scopesInWords[scope]} (${scope})`}
              checked={chosen.includes(scope)}
              onTick={() => toggle(scope)}
            />
          ))}
        </fieldset>
        <p class="quiet">
          A key reaches every datastore of its workspace. To share one datastore alone, name a new
          workspace here, make a key that may write, and put the documents in with it; then make
          another one there that may only read.
        </p>
      </Form>
      <Calls
        heading={name ? undefined : anExample}
        method="createKey"
        args={[{ ...body, name: name || 'website' }]}
      />
    </>
  )
}
