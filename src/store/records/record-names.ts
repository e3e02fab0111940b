import { and, equal, type Filter, oneOf, or } from '../lance/filter.ts'

/** Where a record is looked for: in one workspace, or in all where none is given. */
export type Place = { id: string; workspace?: string | undefined }

/** A place as one string: no workspace has a slash in its name. */
export const nameOf = ({ id, workspace = '' }: Place): string => `${workspace}/${id}`

/** By which names a record is found. */
export const namesOf = ({ id, workspace }: Required<Place>): string[] => [
  nameOf({ id, workspace }),
  nameOf({ id }),
]

/** The records of these names. What is in another workspace is not read, and takes no longer to refuse. */
export function namedFilter(names: string[]): Filter {
  const places = names.map((name) => {
    const [workspace = ''] = name.split('/', 1)
    return { workspace, id: name.slice(workspace.length + 1) }
  })
  const byWorkspace = Map.groupBy(places, ({ workspace }) => workspace)
  return or(...Array.from(byWorkspace, ([workspace, some]) => placesFilter(workspace, some)))
}

function placesFilter(workspace: string, places: Place[]): Filter {
  const ids = oneOf(
    'id',
    places.map(({ id }) => id),
  )
  return workspace === '' ? ids : and(equal('workspace', workspace), ids)
}
