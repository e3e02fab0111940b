import { useState } from 'preact/hooks'
import { Failure } from '../shared/failure.tsx'
import {
  droppedFiles,
  type Found,
  foundIn,
  type Upload,
  uploadsOf,
  withMetadata,
} from './upload.ts'
import { Uploads } from './uploads.tsx'

type Props = {
  metadata: string
  uploads: Upload[]
  onSend: (uploads: Upload[]) => void
}

/** Takes files, chosen or dropped, and shows what becomes of each. */
export function AddFiles({ metadata, uploads, onSend }: Props) {
  const [error, setError] = useState<unknown>()
  const [isOver, setOver] = useState(false)
  const begin = (found: Found[]) => {
    setError(undefined)
    try {
      onSend(uploadsOf(found, withMetadata(metadata)))
    } catch (reason) {
      setError(reason)
    }
  }
  const choose = (label: string, attributes: object) => (
    <label>
      {label}
      <input
        type="file"
        multiple
        {...attributes}
        onChange={({ currentTarget }) => {
          const chosen = foundIn(currentTarget.files ?? [])
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
      <Uploads {...{ uploads, onSend }} />
    </div>
  )
}
