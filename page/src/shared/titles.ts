import type { AnswerSource, DatasourceSummary } from '../../../client/src/index.ts'
import { useClient } from './client.ts'
import { useLoaded } from './hooks.ts'

/** A path tells files of one name apart, as those of several folders. */
export const titleOf = ({ name, key, id }: Pick<DatasourceSummary, 'name' | 'key' | 'id'>) =>
  name && !key?.endsWith(`/${name}`) ? name : key || id

type Named = Pick<AnswerSource, 'datasource_id' | 'datasource_name'> & { datastore_id?: string }

/** Names what fragments are of. They have no key, so it is asked for where several documents have one name. */
export function useTitles(all: Named[], datastoreId = ''): (one?: Named) => string {
  const client = useClient()
  const isAmbiguous = (one: Named) =>
    all.some((other) => isNamesake(one, other) && other.datasource_id !== one.datasource_id)
  const asked = new Map(all.filter(isAmbiguous).map((one) => [one.datasource_id, one]))
  const { value = {} } = useLoaded(
    async (signal) => {
      const titles = Array.from(asked, async ([id, { datastore_id = datastoreId }]) => [
        id,
        titleOf(await client.getDatasource(datastore_id, id, { signal })),
      ])
      return Object.fromEntries(await Promise.all(titles)) as Record<string, string>
    },
    [[...asked.keys()].join()],
  )
  return (one) =>
    (one && (value[one.datasource_id] || one.datasource_name)) || 'a document without a name'
}

const isNamesake = (one: Named, other: Named) => one.datasource_name === other.datasource_name
