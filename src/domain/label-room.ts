import { ServiceError } from '../errors.ts'
import { labelsOf } from '../metadata/labels.ts'

/** In bytes, of one request. Each fragment has the labels of its document, so that filters choose rows. */
const maxLabels = 384 * 1024 * 1024
/** A byte of metadata makes at most about so many of labels. */
const labelsAByte = 64

type Labelled = { metadata: string | null; fragments: readonly unknown[] }

/** @throws ServiceError `payload_too_large` where the labels of documents would take too much memory */
export function checkLabelRoom(documents: Labelled[]): void {
  let bytes = 0
  for (const { metadata, fragments } of documents) {
    const most = (metadata?.length ?? 0) * labelsAByte * fragments.length
    bytes += bytes + most <= maxLabels ? most : labelBytes(metadata) * fragments.length
    if (bytes > maxLabels) {
      throw new ServiceError(
        'payload_too_large',
        'The metadata has too many values for texts of this length. Send fewer documents in a request, shorter texts, or less metadata.',
      )
    }
  }
}

const labelBytes = (metadata: string | null): number =>
  labelsOf(metadata).reduce((sum, label) => sum + Buffer.byteLength(label), 0)
