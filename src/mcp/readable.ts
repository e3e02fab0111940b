import type { Datastore, Datastores } from '../domain/datastores.ts'
import type { Caller } from '../domain/keys.ts'
import { InvalidRequest } from '../errors/errors.ts'

/** Bounds what one call costs. */
const maxDatastores = 32

export type ReadDatastores = () => Promise<Datastore[]>

/** @throws NotFound for the endpoint's datastore; the result throws InvalidRequest for too many */
export async function readable(
  datastores: Datastores,
  { workspace }: Caller,
  datastoreId: string | undefined,
): Promise<ReadDatastores> {
  if (datastoreId !== undefined) {
    const datastore = await datastores.require(workspace, datastoreId)
    return async () => [datastore]
  }
  return async () => {
    const found = await datastores.first(workspace, maxDatastores + 1)
    if (found.length > maxDatastores) throw tooMany()
    return found
  }
}

function tooMany(): InvalidRequest {
  const detail = `has more than ${maxDatastores} datastores; connect to /datastores/{id}/mcp of one`
  return new InvalidRequest([{ pointer: '', detail }], 'The workspace')
}
