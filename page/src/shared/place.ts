import { useEffect, useState } from 'preact/hooks'

export const panes = ['ask', 'search', 'documents', 'keys'] as const
export type Pane = (typeof panes)[number]

/** What the page shows. It stands in the fragment of the address, so that the browser's buttons lead back. */
export type Place = {
  pane: Pane
  datastore?: string
  /** A question that is asked as soon as the pane is there. */
  question?: string
}

export function hrefOf(place: Place): string {
  const { pane, datastore, question } = place
  return `#${new URLSearchParams({ pane, ...(datastore && { datastore }), ...(question && { question }) })}`
}

export const goTo = (place: Place): void => {
  window.location.hash = hrefOf(place)
}

/** The same without a step in the browser's history, for what nobody chose. */
export const goInstead = (place: Place): void => window.location.replace(hrefOf(place))

function placeNow(): Place {
  const given = new URLSearchParams(window.location.hash.slice(1))
  const pane = panes.find((name) => name === given.get('pane')) ?? 'ask'
  return {
    pane,
    datastore: given.get('datastore') ?? undefined,
    question: given.get('question') ?? undefined,
  }
}

export function usePlace(): Place {
  const [place, setPlace] = useState(placeNow)
  useEffect(() => {
    const follow = () => setPlace(placeNow())
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  return place
}
