import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { format, parse } from 'content-type'
import { InvalidRequest } from '../../errors/errors.ts'
import type { Violation } from '../../../generated/types.gen.ts'
import type { UploadedFile } from '../../files/uploaded-file.ts'
import { concatenated, TimeSlice } from '../../process/time-slice.ts'
import type { BodySchema } from './body-rules.ts'
import { addValue, invalidBody, readPart } from './json-body.ts'

type Members = Record<string, unknown>

/** More than any form of the contract has; what is left out then is refused as unknown or missing. */
const limits = { parts: 32, headerPairs: 32, fieldSize: 64 * 1024 }
/** RFC 2046, 5.1.1. The time to search for a boundary grows with its length. */
const maxBoundary = 70
/** Bytes that are searched in one turn of the event loop. */
const sliceLength = 64 * 1024

/** The members of a form. @throws InvalidRequest */
export async function readForm(
  bytes: Buffer,
  mediaType: string,
  schema: BodySchema,
): Promise<Members> {
  const { type, parameters } = parse(mediaType)
  const boundary = checkedBoundary(parameters.boundary)
  const form = withoutEpilogue(bytes, boundary)
  if (hasOpenHead(form, boundary)) throw noForm()
  const members: Members = Object.create(null)
  for (const [name, value] of await partsOf(form, type, boundary)) {
    const read = holdsJson(schema.properties?.[name]) ? readJsonPart(value, name) : value
    if (read !== undefined) addValue(members, name, read)
  }
  return members
}

function checkedBoundary(boundary: string | undefined): string {
  if (boundary === undefined) throw noForm()
  if (boundary.length >= 1 && boundary.length <= maxBoundary) return boundary
  const detail = `has a boundary of ${boundary.length} characters; RFC 2046 allows 1 to ${maxBoundary}`
  throw new InvalidRequest([{ pointer: '/header/content-type', detail }])
}

/** A part that begins after the end of the form would be awaited for ever. */
function withoutEpilogue(bytes: Buffer, boundary: string): Buffer {
  const end = Buffer.from(`\r\n--${boundary}--`)
  const isEmpty = bytes.subarray(0, end.length - 2).equals(end.subarray(2))
  const at = isEmpty ? 0 : bytes.indexOf(end)
  return at < 0 ? bytes : bytes.subarray(0, at + end.length)
}

/** Whether the head of a part does not end before the next part. busboy would wait for ever. */
function hasOpenHead(bytes: Buffer, boundary: string): boolean {
  const delimiter = `\r\n--${boundary}`
  let at = bytes.indexOf(delimiter.slice(2))
  while (at >= 0) {
    const next = bytes.indexOf(delimiter, at)
    const end = bytes.indexOf('\r\n\r\n', at)
    if (next >= 0 && (end < 0 || next < end + 4)) return true
    at = next < 0 ? -1 : next + 2
  }
  return false
}

const noForm = (): InvalidRequest => invalidBody('is not a form as its Content-Type says')

type Part = [name: string, value: string | UploadedFile]

async function partsOf(bytes: Buffer, type: string, boundary: string): Promise<Part[]> {
  const parts: Promise<Part>[] = []
  const faults: Violation[] = []
  try {
    // The header is written again, so that no other boundary is taken than the one that was checked.
    const headers = { 'content-type': format({ type, parameters: { boundary } }) }
    const form = busboy({ headers, defParamCharset: 'utf8', limits })
    const refuse = (why: string) => form.destroy(new Error(why))
    const checkEncoding = (name = '', encoding = '') => {
      if (isEncoded.test(encoding))
        faults.push({ pointer: `/${name}`, detail: encodedAs(encoding) })
    }
    form.on('field', (name, value: string | undefined, { valueTruncated, encoding }) => {
      checkEncoding(name, encoding)
      if (value === undefined) refuse('A part has a charset that is not known.')
      else parts.push(Promise.resolve([name ?? '', value]))
      if (valueTruncated) faults.push({ pointer: `/${name}`, detail: tooLarge })
      else if (isBroken(value ?? '', bytes)) faults.push({ pointer: `/${name}`, detail: notUtf8 })
    })
    form.on('file', (name, stream, info: Partial<busboy.FileInfo>) => {
      const { filename = '', mimeType = '', encoding } = info
      checkEncoding(name, encoding)
      if (isBroken(filename, bytes)) {
        faults.push({ pointer: `/${name}`, detail: 'has a name that is not UTF-8' })
      }
      const charset = name === 'file' ? fileCharset(bytes, boundary) : undefined
      const part = readFile(stream, unescaped(filename), withCharset(mimeType, charset)).then(
        (file): Part => [name ?? '', file],
      )
      // A truncated form is refused before its files are awaited.
      part.catch(() => undefined)
      parts.push(part)
    })
    form.on('partsLimit', () => refuse('The form has too many parts.'))
    // Some broken forms have a second error after the one that ends the pipeline.
    form.on('error', () => undefined)
    await pipeline(slicesOf(bytes), form)
    await Promise.all(parts)
  } catch {
    throw noForm()
  }
  if (faults.length > 0) throw new InvalidRequest(faults)
  return Promise.all(parts)
}

const tooLarge = `must not be larger than ${limits.fieldSize} bytes`
const notUtf8 = 'is not UTF-8'
const isEncoded = /^(?:base64|quoted-printable)$/
const encodedAs = (encoding: string): string =>
  `is sent in the Content-Transfer-Encoding ${encoding}; send its bytes as they are`

/** Whether busboy wrote U+FFFD for bytes that are no UTF-8. */
const isBroken = (text: string, bytes: Buffer): boolean =>
  text.includes('\ufffd') && !bytes.includes(text)

/** Browsers and curl escape these characters of a file's name, and no others. */
const unescaped = (filename: string): string =>
  filename.replace(/%(?:22|0A|0D)/gi, (escape) => decodeURIComponent(escape))

async function* slicesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  const slice = new TimeSlice()
  for (let start = 0; start < bytes.length; start += sliceLength) {
    await slice.pause()
    yield bytes.subarray(start, start + sliceLength)
  }
}

const withCharset = (type: string, charset: string | undefined): string =>
  charset === undefined ? type : `${type}; charset=${charset}`

async function readFile(stream: Readable, name: string, mediaType: string): Promise<UploadedFile> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece)
  return { name, mediaType, bytes: await concatenated(pieces) }
}

const holdsJson = (schema: BodySchema | undefined): boolean =>
  [schema?.type].flat().includes('object')

/** Clients send JSON as a field or as a file; one that nobody filled in is empty, and left out here. */
function readJsonPart(value: string | UploadedFile, name: string): unknown {
  const text = typeof value === 'string' ? value : utf8Of(value.bytes, name)
  return text === '' ? undefined : readPart(text, `/${name}`)
}

function utf8Of(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new InvalidRequest([{ pointer: `/${name}`, detail: notUtf8 }])
  }
}

/** Maximum bytes of the headers of a part, as in busboy. */
const maxHead = 16 * 1024
const maxParts = 32
const ofFile = /^content-disposition:(?=[^\n]*;\s*name=(?:"file"|file\b))[^\n]*\bfilename\*?=/im
const typeWithCharset = /^content-type:[^\n]*;\s*charset\s*=\s*"?(?<charset>[\w:.-]{1,40})/im

/** The charset of a form's part `file`, which busboy leaves out; undefined where it has none. */
function fileCharset(bytes: Buffer, boundary: string): string | undefined {
  const delimiter = `--${boundary}\r\n`
  let at = bytes.indexOf(delimiter)
  for (let part = 0; at >= 0 && part < maxParts; part++) {
    const start = at + delimiter.length
    const head = bytes.toString('latin1', start, start + maxHead)
    const fields = head.slice(0, Math.max(0, head.indexOf('\r\n\r\n')))
    if (ofFile.test(fields)) return typeWithCharset.exec(fields)?.groups?.['charset']
    at = bytes.indexOf(delimiter, start)
  }
  return undefined
}
