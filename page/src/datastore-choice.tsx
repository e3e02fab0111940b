import { useState } from 'preact/hooks'
import type { Datastore } from '../../client/src/index.ts'
import { DatastoreMaker } from './datastore-maker.tsx'
import { counted } from './shared/counted.ts'
import { Select } from './shared/choices.tsx'
import { goTo, type Place } from './shared/place.ts'

/** Chooses one of the datastores, or makes another. */
export function DatastoreChoice({ datastores, place }: { datastores: Datastore[]; place: Place }) {
  const [isMaking, setMaking] = useState(false)
  if (datastores.length === 0) return null
  const chosen = datastores.find(({ id }) => id === place.datastore)
  return (
    <div class="choice">
      <Select
        label="Datastore"
        value={place.datastore ?? ''}
        onValue={(datastore) => goTo({ pane: place.pane, datastore })}
        options={datastores.map(({ id, name }) => [id, name])}
      />
      {chosen && (
        <span class="quiet">
          {counted(chosen.datasourceCount, 'document')} ·{' '}
          {counted(chosen.fragmentCount, 'fragment')} · {chosen.embeddingModel}
        </span>
      )}
      <button aria-expanded={isMaking} onClick={() => setMaking(!isMaking)}>
        New datastore
      </button>
      {isMaking && <DatastoreMaker onMade={() => setMaking(false)} />}
    </div>
  )
}
