import { useMemo, useState } from 'preact/hooks'
import type { Datastore } from '../../../client/src/index.ts'
import type { ApiCall } from '../shared/calls.tsx'
import { Failure } from '../shared/failure.tsx'
import { Needs, useMay } from '../shared/scopes.tsx'
import { DocumentView } from '../shared/document-view.tsx'
import { ConfirmButton } from '../shared/confirm-button.tsx'
import { AddFiles } from './add-files.tsx'
import { AddText } from './add-text.tsx'
import { LastCall } from './last-call.tsx'
import { DocumentList } from './list.tsx'
import { MetadataField } from './metadata-field.tsx'
import { isOver, type Upload } from './upload.ts'
import type { UploadLists } from './upload-lists.ts'
import { useDocuments } from './use-documents.ts'

type Props = { datastore: Datastore; uploadLists: UploadLists; onChange: () => void }

/** Puts documents in a datastore, lists them, opens one, takes them out. */
export function Documents({ datastore, uploadLists, onChange }: Props) {
  const mayWrite = useMay('datastores:write')
  const { id, name } = datastore
  const [openedId, setOpenedId] = useState<string>()
  const [metadata, setMetadata] = useState('')
  const uploads = uploadLists.of(id)
  const [pasted, setPasted] = useState<ApiCall>()
  const isSending = !uploads.every(isOver)
  const { listed, ...documents } = useDocuments(id, isSending, onChange)
  const opened = useMemo(
    () => ({
      datastoreId: id,
      datasourceId: openedId ?? '',
      takesFocus: true,
      showsFragments: true,
    }),
    [openedId],
  )
  const send = (next: Upload[]) => {
    setPasted(undefined)
    void uploadLists.send(id, next)
  }
  const remove = (datasourceId: string) =>
    documents.remove(datasourceId, () =>
      setOpenedId((now) => (now === datasourceId ? undefined : now)),
    )
  return (
    <div class={openedId ? 'split' : ''}>
      <section aria-label={`Documents of ${name}`}>
        <Needs scope="datastores:write">
          <AddFiles {...{ metadata, uploads }} onSend={send} />
          <MetadataField value={metadata} onValue={setMetadata} />
          <AddText
            datastoreId={id}
            metadata={metadata}
            onPut={(call) => (setPasted(call), documents.change())}
          />
        </Needs>
        <Failure error={documents.error} />
        <Failure error={documents.listError} again={documents.again} />
        {listed && (
          <DocumentList
            {...{ documents: listed, openedId }}
            onOpen={setOpenedId}
            onDelete={mayWrite ? remove : undefined}
          />
        )}
        {mayWrite && (
          <ConfirmButton
            label="Delete this datastore"
            name={name}
            onConfirm={documents.removeAll}
          />
        )}
        <LastCall {...{ datastoreId: id, uploads, pasted }} />
      </section>
      {openedId && (
        <DocumentView
          opened={opened}
          version={listed?.find((one) => one.id === openedId)?.updatedAt}
          onClose={() => setOpenedId(undefined)}
          onFailed={documents.change}
          onDelete={mayWrite ? () => remove(openedId) : undefined}
        />
      )}
    </div>
  )
}
