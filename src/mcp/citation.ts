export type Cited = { id: string; name: string; source: string; datastoreId: string }

/** Never empty, because assistants show it. */
export const titleOf = ({ id, name, source }: Cited): string => name || source || id

/** Where it comes from, if that is a web address, else where the service has it. */
export const urlOf = ({ id, source, datastoreId }: Cited, base: string): string =>
  /^https?:\/\//i.test(source) && URL.canParse(source)
    ? source
    : `${base}/datastores/${datastoreId}/datasources/${id}`
