/** Where a fragment comes from, in a few words: the source, the name, or else the id. */
export function sourceOf(fragment: {
  source: string
  datasource_name: string
  datasource_id: string
}): string {
  const { source, datasource_name: name, datasource_id: id } = fragment
  if (source === '') return name || id
  return name === '' || source.endsWith(name) ? source : `${name} (${source})`
}
