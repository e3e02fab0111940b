import { useEffect, useRef, useState } from 'preact/hooks'
import type { Datastore } from '../../client/src/index.ts'
import { goInstead, type Place } from './shared/place.ts'

type Listed = { data: Datastore[]; sought: string | undefined }

/** The datastore of the address, or the first one instead, with the name of one that is gone. */
export function useChosen(place: Place, listed?: Listed): { chosen?: Datastore; gone?: string } {
  const before = useRef<Datastore | undefined>(undefined)
  const [instead, setInstead] = useState<{ id: string; gone: string }>()
  const named = listed?.data.find(({ id }) => id === place.datastore)
  // A list from before does not have one that was just made.
  const isMissing = listed?.sought === place.datastore && !named && place.pane !== 'keys'
  const chosen = isMissing ? listed?.data[0] : named
  useEffect(() => {
    if (!chosen) return
    if (isMissing) {
      const { id, name } = before.current ?? {}
      const gone = id === place.datastore && name ? name : 'that was open here'
      if (place.datastore) setInstead({ id: chosen.id, gone })
      goInstead({ ...place, datastore: chosen.id })
    }
    before.current = chosen
  }, [listed, chosen])
  return { chosen, ...(instead?.id === place.datastore && { gone: instead?.gone }) }
}
