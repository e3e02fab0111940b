/** What a start prints: where the server is, its first key if one was made, and what to do with it. */
export function welcome(url: string, firstKey: string | undefined): string {
  const near = reachable(url)
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

/** An address that stands for all of a machine's is none to call. */
const reachable = (url: string): string =>
  url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
