import { useState } from 'preact/hooks'
import { useClient } from '../shared/client.ts'
import { Failure } from '../shared/failure.tsx'
import {
  type AddProps,
  droppedFiles,
  type Upload,
  pathOf,
  uploadAll,
  withMetadata,
} from './upload.ts'
import { Uploads } from './uploads.tsx'

/** Takes files, chosen or dropped, and shows what becomes of each. */
export function AddFiles({ datastoreId, metadata, onChange }: AddProps) {
  const client = useClient()
  const [uploads, setUploads] = useState<Upload[]>([])
  const [error, setError] = useState<unknown>()
  const [isOver, setOver] = useState(false)
  const tell = (next: Upload) =>
    setUploads((all) => all.map((one) => (one.name === next.name ? next : one)))
  const add = async (files: File[]) => {
    setError(undefined)
    const given = withMetadata(metadata)
    const names = files.map(pathOf)
    setUploads((all) => [
      ...all.filter(({ name }) => !names.includes(name)),
      ...names.map((name) => ({ name, state: 'waiting' as const })),
    ])
    await uploadAll({ client, datastoreId, ...given }, files, tell)
    onChange()
  }
  const begin = (files: File[]) => void add(files).catch(setError)
  const choose = (label: string, attributes: object) => (
    <label>
      {label}
      <input
        type="file"
        multiple
        {...attributes}
        onChange={({ currentTarget }) => {
          const chosen = [...(currentTarget.files ?? [])]
          currentTarget.value = ''
          begin(chosen)
        }}
      />
    </label>
  )
  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (event.dataTransfer) void droppedFiles(event.dataTransfer).then(begin, setError)
      }}
    >
      <p>Drop files or folders here, or choose them.</p>
      <div class="row">
        {choose('Files', {})}
        {choose('A folder', { webkitdirectory: true })}
      </div>
      <Failure error={error} />
      <Uploads uploads={uploads} />
    </div>
  )
}
