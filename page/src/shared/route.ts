import { useEffect, useState } from 'preact/hooks'

export const panes = ['ask', 'search', 'documents', 'keys'] as const
export type Pane = (typeof panes)[number]

/** What the page shows. It is in the fragment of the address, so that the browser's Back button works. */
export type Route = {
  pane: Pane
  datastore?: string
  /** A question that is asked as soon as the pane is there. */
  question?: string
}

export function hrefOf(route: Route): string {
  const { pane, datastore, question } = route
  return `#${new URLSearchParams({ pane, ...(datastore && { datastore }), ...(question && { question }) })}`
}

export const goTo = (route: Route): void => {
  window.location.hash = hrefOf(route)
}

/** As `goTo`, without an entry in the browser's history, for what the user did not choose. */
export const replaceRoute = (route: Route): void => window.location.replace(hrefOf(route))

function currentRoute(): Route {
  const given = new URLSearchParams(window.location.hash.slice(1))
  const pane = panes.find((name) => name === given.get('pane')) ?? 'ask'
  return {
    pane,
    datastore: given.get('datastore') ?? undefined,
    question: given.get('question') ?? undefined,
  }
}

export function useRoute(): Route {
  const [route, setRoute] = useState(currentRoute)
  useEffect(() => {
    const follow = () => setRoute(currentRoute())
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  return route
}
