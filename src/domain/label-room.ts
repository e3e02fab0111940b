import { ServiceError } from '../errors.ts'
import { labelsOf } from '../metadata/labels.ts'
import { TimeSlice } from '../scheduling/time-slice.ts'

/** In bytes: the labels of one request's documents, while they are made. */
const maxOfDocuments = 64 * 1024 * 1024
/** In bytes: the labels of its rows, because each fragment has those of its document. */
const maxOfFragments = 384 * 1024 * 1024
const maxLabelBytesACharacter = 1_200

type Labelled = { metadata: string | null; fragments: readonly unknown[] }

/** @throws ServiceError `payload_too_large` where the labels of documents would take too much memory */
export async function checkLabelRoom(documents: Labelled[]): Promise<void> {
  const most = documents.map(
    ({ metadata, fragments }) =>
      (metadata?.length ?? 0) * maxLabelBytesACharacter * fragments.length,
  )
  if (most.reduce((sum, bytes) => sum + bytes, 0) <= maxOfDocuments) return
  const slice = new TimeSlice()
  let [ofDocuments, ofFragments] = [0, 0]
  for (const { metadata, fragments } of documents) {
    const bytes = labelBytes(metadata)
    ofDocuments += bytes
    ofFragments += bytes * fragments.length
    if (ofDocuments > maxOfDocuments || ofFragments > maxOfFragments) throw tooMany()
    await slice.pause()
  }
}

const labelBytes = (metadata: string | null): number =>
  labelsOf(metadata).reduce((sum, label) => sum + Buffer.byteLength(label), 0)

const tooMany = (): ServiceError =>
  new ServiceError(
    'payload_too_large',
    'The metadata has too many values for texts of this length. Send fewer documents in a request, shorter texts, or less metadata.',
  )
