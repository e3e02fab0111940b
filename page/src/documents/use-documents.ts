import { useClient } from '../shared/client.ts'
import { useAction, useLoaded } from '../shared/hooks.ts'
import { allDocuments } from './all-documents.ts'

/** The documents of a datastore, and what takes them out of it. */
export function useDocuments(id: string, isSending: boolean, onChange: () => void) {
  const client = useClient()
  const { error, queue } = useAction()
  const {
    value,
    error: listError,
    isBusy,
    again,
  } = useLoaded((signal) => allDocuments(client, id, signal), [isSending])
  // "Nothing is there" is only shown when no upload is running.
  const listed = value?.length === 0 && (isSending || isBusy) ? undefined : value
  const change = () => (again(), onChange())
  const remove = (datasourceId: string, onGone: () => void) =>
    queue(async () => {
      // Where that fails, what is listed may be gone already.
      await client.deleteDatasource(id, datasourceId).finally(change)
      onGone()
    })
  const removeAll = () => queue(() => client.deleteDatastore(id).finally(onChange))
  return { listed, error, listError, again, change, remove, removeAll }
}
