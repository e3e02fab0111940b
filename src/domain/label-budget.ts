import { Semaphore } from 'async-mutex'
import { ServiceError } from '../errors/errors.ts'
import { bytesOfLabels } from '../metadata/labels.ts'
import { TimeSlice } from '../process/time-slice.ts'
import { visibleCount } from '../text/blanks.ts'
import type { NewDocument } from './documents.ts'

const mebibyte = 1024 * 1024
/** Bytes of the labels of one request's documents. */
const maxOfDocuments = 16 * mebibyte
/** Bytes of the labels of its rows. Each fragment has the labels of its document. */
const maxOfRows = 64 * mebibyte
/** Most writes have fewer bytes, and wait for none. */
const minCounted = mebibyte

type Cut = { fragments: readonly unknown[] }

/** Measures labels in bytes. @throws ServiceError `payload_too_large` if they are too many for documents or rows */
export async function measureLabels(
  documents: NewDocument[],
  fragmentLength: number,
): Promise<number[]> {
  const slice = new TimeSlice()
  const each: number[] = []
  let [ofDocuments, ofRows] = [0, 0]
  for (const { text, metadata = null } of documents) {
    const bytes = bytesOfLabels(metadata)
    each.push(bytes)
    ofDocuments += bytes
    const mayBeMany = bytes * Math.ceil(text.length / fragmentLength) >= minCounted
    ofRows += mayBeMany ? bytes * leastFragments(text, fragmentLength) : bytes
    if (ofDocuments > maxOfDocuments || ofRows > maxOfRows) throw tooMany()
    await slice.pause()
  }
  return each
}

/** Bounds the memory that labels take while they are written, over all requests at once. */
export class LabelBudget {
  /** In MiB, because a release takes time for each one. */
  readonly #rows = new Semaphore(maxOfRows / mebibyte)

  /** Writes documents with labels of so many bytes each, once there is room. @throws as `measureLabels` */
  write<T>(documents: Cut[], bytes: number[], write: () => Promise<T>): Promise<T> {
    const ofRows = documents.reduce(
      (sum, { fragments }, index) => sum + fragments.length * bytes[index]!,
      0,
    )
    if (ofRows > maxOfRows) throw tooMany()
    if (ofRows < minCounted) return write()
    return this.#rows.runExclusive(write, Math.ceil(ofRows / mebibyte))
  }
}

/** Counts visible characters, because blanks do not count in a fragment's length. */
const leastFragments = (text: string, fragmentLength: number): number =>
  Math.max(1, Math.ceil(visibleCount(text) / fragmentLength))

const tooMany = (): ServiceError =>
  new ServiceError(
    'payload_too_large',
    'The metadata has too many values for texts of this length. Send fewer documents in a request, shorter texts, or less metadata.',
  )
