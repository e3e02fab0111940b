import { useMemo, useState } from 'preact/hooks'
import type { Datastore } from '../../../client/src/index.ts'
import type { Made } from '../shared/calls.tsx'
import { useClient } from '../shared/client.ts'
import { Failure } from '../shared/failure.tsx'
import { Needs, useMay } from '../shared/scopes.tsx'
import { Source } from '../shared/source.tsx'
import { SureButton } from '../shared/sure-button.tsx'
import { useAction, useLoaded } from '../shared/hooks.ts'
import { AddFiles } from './add-files.tsx'
import { AddText } from './add-text.tsx'
import { allDocuments } from './all-documents.ts'
import { LastCall } from './last-call.tsx'
import { DocumentList } from './list.tsx'
import { MetadataField } from './metadata-field.tsx'
import { isOver, type Upload } from './upload.ts'
import type { UploadLists } from './upload-lists.ts'

type Props = { datastore: Datastore; uploadLists: UploadLists; onChange: () => void }

/** Puts documents in a datastore, lists them, opens one, takes them out. */
export function Documents({ datastore, uploadLists, onChange }: Props) {
  const client = useClient()
  const mayWrite = useMay('datastores:write')
  const { id, name } = datastore
  const [openedId, setOpenedId] = useState<string>()
  const [metadata, setMetadata] = useState('')
  const uploads = uploadLists.of(id)
  const [pasted, setPasted] = useState<Made>()
  const isSending = !uploads.every(isOver)
  const { error, run } = useAction()
  const {
    value,
    error: listError,
    again,
  } = useLoaded((signal) => allDocuments(client, id, signal), [isSending])
  const opened = useMemo(
    () => ({ datastoreId: id, datasourceId: openedId ?? '', isWanted: true, hasRules: true }),
    [openedId],
  )
  const change = () => (again(), onChange())
  const send = (next: Upload[]) => {
    setPasted(undefined)
    void uploadLists.send(id, next)
  }
  const remove = (datasourceId: string) =>
    run(async () => {
      // Where that fails, what is listed may be gone already.
      await client.deleteDatasource(id, datasourceId).finally(change)
      if (datasourceId === openedId) setOpenedId(undefined)
    })
  const removeAll = () => run(() => client.deleteDatastore(id).finally(onChange))
  return (
    <div class={openedId ? 'split' : ''}>
      <section aria-label={`Documents of ${name}`}>
        <Needs scope="datastores:write">
          <AddFiles {...{ metadata, uploads }} onSend={send} />
          <MetadataField value={metadata} onValue={setMetadata} />
          <AddText
            datastoreId={id}
            metadata={metadata}
            onPut={(call) => (setPasted(call), change())}
          />
        </Needs>
        <Failure error={error ?? listError} />
        {listError !== undefined && <button onClick={again}>Try again</button>}
        {value && (
          <DocumentList
            {...{ documents: value, openedId }}
            onOpen={setOpenedId}
            onDelete={mayWrite ? (datasourceId) => void remove(datasourceId) : undefined}
          />
        )}
        {mayWrite && (
          <SureButton label="Delete this datastore" name={name} onSure={() => void removeAll()} />
        )}
        <LastCall {...{ datastoreId: id, uploads, pasted }} />
      </section>
      {openedId && (
        <Source
          opened={opened}
          version={value?.find((one) => one.id === openedId)?.updatedAt}
          onClose={() => setOpenedId(undefined)}
          onFailed={change}
          onDelete={mayWrite ? () => void remove(openedId) : undefined}
        />
      )}
    </div>
  )
}
