import { anExample, Calls, type ApiCall } from '../shared/calls.tsx'
import type { Upload } from './upload.ts'

type Props = { datastoreId: string; uploads: Upload[]; pasted: ApiCall | undefined }

/** The call that put the last document in, or an example. */
export function LastCall({ datastoreId, uploads, pasted }: Props) {
  if (pasted) return <Calls {...pasted} />
  const last = uploads.findLast(({ state }) => state === 'done')
  const key = last?.path ?? 'notes.pdf'
  const metadata = last?.metadata && { metadata: last.metadata }
  const body = { file: new File([], key), key, ...metadata }
  return (
    <Calls heading={last ? undefined : anExample} method="uploadFile" args={[datastoreId, body]} />
  )
}
