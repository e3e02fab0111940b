import busboy from 'busboy'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { UploadedFile } from '../../files/uploaded-file.ts'
import type { BodySchema } from '../contract/body-schema.ts'
import { invalidBody, readPart } from './json-body.ts'

type Members = Record<string, unknown>

/** More than any form of the contract has; what is left out then is refused as unknown or missing. */
const limits = { parts: 32, headerPairs: 32, fieldSize: 64 * 1024 }

/** The members of a form; a body of another type is its file. @throws InvalidRequest */
export async function readForm(
  bytes: Buffer,
  mediaType: string | undefined,
  schema: BodySchema,
): Promise<Members> {
  if (!/^\s*multipart\//i.test(mediaType ?? '')) {
    return { file: { name: '', mediaType: mediaType ?? '', bytes } satisfies UploadedFile }
  }
  const members: Members = Object.create(null)
  for (const [name, value] of await partsOf(bytes, mediaType)) {
    const read = holdsJson(schema.properties?.[name]) ? readJsonPart(value, name) : value
    if (read === undefined) continue
    // A repeated part becomes a list, which no schema takes.
    members[name] = name in members ? [members[name], read].flat() : read
  }
  return members
}

type Part = [name: string, value: string | UploadedFile]

function partsOf(bytes: Buffer, mediaType: string | undefined): Promise<Part[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Part[]>()
  const parts: Promise<Part>[] = []
  const refuse = () => reject(invalidBody('is not a form as its Content-Type says'))
  try {
    const form = busboy({ headers: { 'content-type': mediaType }, defParamCharset: 'utf8', limits })
    form.on('field', (name, value) => parts.push(Promise.resolve([name ?? '', value])))
    form.on('file', (name, stream, info: Partial<busboy.FileInfo>) => {
      const part = readFile(stream, info).then((file): Part => [name ?? '', file])
      part.catch(refuse)
      parts.push(part)
    })
    form.once('error', refuse)
    form.once('partsLimit', refuse)
    form.once('close', () => void Promise.all(parts).then(resolve, refuse))
    form.end(bytes)
  } catch {
    refuse()
  }
  return promise
}

async function readFile(
  stream: Readable,
  { filename = '', mimeType = '' }: Partial<busboy.FileInfo>,
): Promise<UploadedFile> {
  return { name: filename, mediaType: mimeType, bytes: await buffer(stream) }
}

const holdsJson = (schema: BodySchema | undefined): boolean =>
  [schema?.type].flat().includes('object')

/** Clients send JSON as a field or as a file; one that nobody filled in is empty, and left out here. */
function readJsonPart(value: string | UploadedFile, name: string): unknown {
  const text = typeof value === 'string' ? value : value.bytes.toString()
  return text === '' ? undefined : readPart(text, `/${name}`)
}
