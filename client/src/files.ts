/**
 * Where the bytes of a file come from. A `path` is read by Node.js. A stream is read to its end before anything
 * is sent, so that the request can be sent again, whole.
 */
export type FileSource =
  | { path: string }
  | Blob
  | Uint8Array
  | ArrayBuffer
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>

/** A form whose file comes from anywhere. `name` is the name of a file that has none, too. */
export type FileForm<Body extends { file: unknown }> = Omit<Body, 'file'> & { file: FileSource }

type Stream = Extract<FileSource, ReadableStream | AsyncIterable<unknown>>

/** The limit of `uploadFile` in the contract. Larger files are not kept in memory. */
const maxFileBytes = 33_554_432

/** The form with its file as a Blob. @throws as `bytesOf` */
export async function formOf<Body extends { file: FileSource; name?: string }>(
  body: Body,
  signal?: AbortSignal,
): Promise<Omit<Body, 'file'> & { file: Blob }> {
  const blob = await bytesOf(body.file, signal)
  // A form calls a Blob `blob`, which the service takes for no name.
  const name = (blob instanceof File && blob.name) || nameOf(body.file) || body.name
  return { ...body, file: name ? named(blob, name) : new Blob([blob], { type: blob.type }) }
}

const named = (blob: Blob, name: string): File =>
  blob instanceof File && blob.name === name ? blob : new File([blob], name, { type: blob.type })

/**
 * @throws TypeError for what is no file, RangeError for a stream or a path of more than 32 MiB, what reading throws,
 * or the reason of the signal
 */
export async function bytesOf(source: FileSource, signal?: AbortSignal): Promise<Blob> {
  if (source instanceof Blob) return source
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return blobOf([source])
  if (isStream(source)) return readWhole(source, signal)
  if (!isPath(source)) {
    throw new TypeError(
      "The file is a path as { path: 'hours.pdf' }, a stream, bytes, a Blob or a File; of a text make new Blob([text]).",
    )
  }
  return readWhole(builtin('node:fs').createReadStream(source.path), signal)
}

/** The name of a file that is read from the disk, by its path or as a stream of Node.js. */
function nameOf(source: FileSource): string | undefined {
  const path = 'path' in source ? source.path : undefined
  return typeof path === 'string' ? builtin('node:path').basename(path) : undefined
}

/** An abort does not wait for a silent stream. */
function readWhole(stream: Stream, signal: AbortSignal | undefined): Promise<Blob> {
  if (!signal) return collected(stream)
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    const done = () => signal.removeEventListener('abort', abort)
    collected(stream, signal).then(resolve, reject).finally(done)
  })
}

async function collected(stream: Stream, signal?: AbortSignal): Promise<Blob> {
  const pieces: (Uint8Array | string)[] = []
  let bytes = 0
  for await (const piece of piecesOf(stream)) {
    if (typeof piece !== 'string' && !ArrayBuffer.isView(piece)) {
      throw new TypeError('The stream is one of objects; a file is made of bytes.')
    }
    signal?.throwIfAborted()
    bytes += typeof piece === 'string' ? piece.length : piece.byteLength
    if (bytes > maxFileBytes) throw new RangeError('The file has more than 32 MiB.')
    pieces.push(piece)
  }
  return blobOf(pieces)
}

/** By its types, a Blob takes no memory that is shared with other threads. */
const blobOf = (pieces: (Uint8Array | ArrayBuffer | string)[]): Blob =>
  new Blob(pieces as BlobPart[])

/** Not every browser iterates over a stream. */
async function* piecesOf(stream: Stream): AsyncGenerator<Uint8Array | string> {
  if (!('getReader' in stream)) {
    yield* stream
    return
  }
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const isStream = (source: unknown): source is Stream =>
  isObject(source) && (Symbol.asyncIterator in source || 'getReader' in source)

const isPath = (source: unknown): source is { path: string } =>
  isObject(source) && 'path' in source && typeof source.path === 'string'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A module of Node.js that no bundler for browsers sees. @throws TypeError where there is none */
function builtin<Name extends 'node:fs' | 'node:path'>(name: Name): BuiltIn[Name] {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }
  const found = process?.getBuiltinModule?.(name)
  if (found) return found as BuiltIn[Name]
  throw new TypeError(
    'A path is read by Node.js 20.16 or later alone; give a File or bytes instead.',
  )
}

type BuiltIn = {
  'node:fs': { createReadStream: (path: string) => AsyncIterable<Uint8Array> }
  'node:path': { basename: (path: string) => string }
}
