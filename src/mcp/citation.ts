type Cited = {
  id: string
  name: string
  source: string
  metadata?: Record<string, unknown> | null | undefined
  datastore: { id: string; name: string }
}

/** How an assistant names a document, and where it sends the reader. */
export const cite = (cited: Cited, base: string) => ({
  id: cited.id,
  title: titleOf(cited),
  url: urlOf(cited, base),
  path: pathOf(cited),
  datastore: cited.datastore,
})

/** Never empty, because assistants show it. It tells files of one name apart by where they come from. */
function titleOf({ id, name, source, metadata }: Cited): string {
  const places = [textAt(metadata, 'source'), source].map((place) => place.replace(webScheme, ''))
  const whole = places.find((place) => place.endsWith(`/${name}`))
  return whole || name || source || id
}

/** Where it was ingested from; else its name. */
export const pathOf = ({ name, source, metadata }: Cited): string =>
  textAt(metadata, 'source') || name || source

/** Its own web address; else the page that shows it to whoever has a key. */
function urlOf({ id, source, metadata, datastore }: Cited, base: string): string {
  const places = [source, ...['source_url', 'url', 'source'].map((name) => textAt(metadata, name))]
  const own = places.find((place) => webScheme.test(place) && URL.canParse(place))
  return own ?? `${base}/document#${datastore.id}/${id}`
}

const webScheme = /^https?:\/\//i

function textAt(metadata: Cited['metadata'], name: string): string {
  const value = metadata?.[name]
  return typeof value === 'string' ? value : ''
}
