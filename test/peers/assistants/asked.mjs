/** What every client is told, and how it says what it found. */
export const url = process.env.MCP_URL
export const authorization = `Bearer ${process.env.API_KEY}`
export const question = 'When does the library open?'

export function report({ tools, results, fetched, read, answer }) {
  const [{ title, url: address, path, datastore }] = results
  const names = tools.map(({ name }) => name)
  const first = { title, url: address, path, datastore: datastore.name }
  console.log(JSON.stringify({ tools: names, first, fetched, read, answer }))
}
