import { malformed } from '../provider/failure.ts'

/** A piece of an answer takes some 300 bytes. */
const maxEventBytes = 1024 * 1024
const maxBytes = 32 * 1024 * 1024

const [lineFeed, carriageReturn] = [10, 13]

/** Passes the answer on. Its body ends with CallFailed once an event, or the whole, is too long. */
export function limitEvents(response: Response): Response {
  const isWithin = watchEvents()
  const bounds = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      if (!isWithin(piece)) throw malformed('gave too long an answer')
      controller.enqueue(piece)
    },
  })
  const { body } = response
  return body ? new Response(body.pipeThrough(bounds), response) : response
}

function watchEvents(): (piece: Uint8Array) => boolean {
  let [bytes, eventBytes, maxSeen] = [0, 0, 0]
  let isLineEmpty = true
  const scan = (byte: number): void => {
    eventBytes++
    if (byte === lineFeed) {
      maxSeen = Math.max(maxSeen, eventBytes)
      if (isLineEmpty) eventBytes = 0
      isLineEmpty = true
    } else if (byte !== carriageReturn) isLineEmpty = false
  }
  return (piece) => {
    bytes += piece.byteLength
    if (bytes > maxBytes) return false
    piece.forEach(scan)
    return Math.max(maxSeen, eventBytes) <= maxEventBytes
  }
}
