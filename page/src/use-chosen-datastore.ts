import { useEffect, useRef, useState } from 'preact/hooks'
import type { Datastore } from '../../client/src/index.ts'
import { replaceRoute, type Route } from './shared/route.ts'

type Listed = { data: Datastore[]; sought: string | undefined }

/** The datastore of the route, or else the first one, with the name of the one that is gone. */
export function useChosenDatastore(
  route: Route,
  listed?: Listed,
): { chosen?: Datastore; gone?: string } {
  const before = useRef<Datastore | undefined>(undefined)
  const [instead, setInstead] = useState<{ id: string; gone: string }>()
  const named = listed?.data.find(({ id }) => id === route.datastore)
  // An older list lacks a datastore that was just made.
  const isMissing = listed?.sought === route.datastore && !named && route.pane !== 'keys'
  const chosen = isMissing ? listed?.data[0] : named
  useEffect(() => {
    if (!chosen) return
    if (isMissing) {
      const { id, name } = before.current ?? {}
      const gone = id === route.datastore && name ? name : 'that was open here'
      if (route.datastore) setInstead({ id: chosen.id, gone })
      replaceRoute({ ...route, datastore: chosen.id })
    }
    before.current = chosen
  }, [listed, chosen])
  return { chosen, ...(instead?.id === route.datastore && { gone: instead?.gone }) }
}
