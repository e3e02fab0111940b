export function welcome(url: string, firstKey: string | undefined): string {
  const near = toCallable(url)
  const lines = [`Listening on ${url}`]
  if (firstKey) {
    lines.push(`Your key, shown only this once: ${firstKey}`)
    lines.push(`Make a datastore: ${firstCall(near, firstKey)}`)
  }
  return [...lines, `Documentation: ${near}/docs`].join('\n')
}

const firstCall = (url: string, key: string): string =>
  [
    `curl -s ${url}/datastores`,
    `-H 'Authorization: Bearer ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '{"name": "library"}'`,
  ].join(' ')

/** Clients cannot call the wildcard address. */
const toCallable = (url: string): string =>
  url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
