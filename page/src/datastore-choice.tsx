import { useEffect, useRef, useState } from 'preact/hooks'
import type { Datastore } from '../../client/src/index.ts'
import { useClient } from './shared/client.ts'
import { counted } from './shared/counted.ts'
import { Select } from './shared/choices.tsx'
import { Field, Form } from './shared/form.tsx'
import { goTo, type Route } from './shared/route.ts'
import { useMay } from './shared/scopes.tsx'

/** Chooses one of the datastores, or makes another. */
export function DatastoreChoice({ datastores, route }: { datastores: Datastore[]; route: Route }) {
  const mayMake = useMay('datastores:write')
  const [isMaking, setMaking] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isMaking) box.current?.querySelector('input')?.focus()
  }, [isMaking])
  if (datastores.length === 0) return null
  const chosen = datastores.find(({ id }) => id === route.datastore)
  return (
    <div class="choice" ref={box}>
      {route.datastore && (
        <Select
          label="Datastore"
          value={route.datastore}
          onValue={(datastore) => goTo({ pane: route.pane, datastore })}
          options={optionsOf(datastores)}
        />
      )}
      {chosen && (
        <span class="quiet">
          {counted(chosen.datasourceCount, 'document')} ·{' '}
          {counted(chosen.fragmentCount, 'fragment')} · {chosen.embeddingModel}
        </span>
      )}
      {mayMake && (
        <button aria-expanded={isMaking} onClick={() => setMaking(!isMaking)}>
          New datastore
        </button>
      )}
      {isMaking && <DatastoreMaker onMade={() => setMaking(false)} />}
    </div>
  )
}

/** Equal names get the end of their id. Such a name is isolated, because it may be written from right to left. */
function optionsOf(datastores: Datastore[]): [id: string, title: string][] {
  const counts = new Map<string, number>()
  for (const { name } of datastores) counts.set(name, (counts.get(name) ?? 0) + 1)
  return datastores.map(({ id, name }) => [
    id,
    counts.get(name) === 1 ? name : `\u2068${name}\u2069 (…${id.slice(-4)})`,
  ])
}

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
