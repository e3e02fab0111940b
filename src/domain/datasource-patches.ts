import { jsonLimits } from '../../generated/json-limits.gen.ts'
import { isBuiltIn } from '../embeddings/hashing-embedder.ts'
import { InvalidRequest, orUndefined } from '../errors/errors.ts'
import { orNotFound } from './ids.ts'
import { bytesOfLabels } from '../metadata/labels.ts'
import type { Deadline } from '../process/deadline.ts'
import type { DatasourceInfo, DocumentVersion, Fragment } from '../store/types.ts'
import type { Datastore } from './datastores.ts'
import { contentOf, metadataFields, type Metadata, parseMetadata } from './documents.ts'
import { embeddedFragments, splitAll, withNewWords, type WriteParts } from './fragments.ts'

export type Patch = { name?: string | undefined; metadata?: Metadata | undefined }

/** A patch within the limit may make metadata that exceeds it. */
const { maxBytes } = jsonLimits.Metadata

/** Changes names and metadata without a provider. */
export class DatasourcePatches {
  readonly #parts: WriteParts

  constructor(parts: WriteParts) {
    this.#parts = parts
  }

  /** Patches a datasource, and retries after a lost race. @throws NotFound, InvalidRequest, EmbeddingModelMismatch */
  async patch(
    datastore: Datastore,
    id: string,
    patch: Patch,
    deadline: Deadline,
  ): Promise<DatasourceInfo> {
    const table = await this.#parts.fragments.of(datastore.id)
    for (;;) {
      const stored = orNotFound(await table.stored(id), 'datasource', id)
      const patched = await this.#patched(datastore, stored, patch, deadline)
      const labels = [bytesOfLabels(parseMetadata(patched.metadata))]
      const put = () => table.writes.put([patched], checkSame(stored), deadline)
      const replacement = await this.#parts.labels
        .write([patched], labels, put)
        .catch(orUndefined(Raced))
      if (replacement) return replacement[0]!.info
    }
  }

  async #patched(
    datastore: Datastore,
    stored: DocumentVersion,
    { name = stored.name, metadata }: Patch,
    deadline: Deadline,
  ): Promise<DocumentVersion> {
    const named = { ...stored, name, ...metadataAfter(stored, metadata) }
    if (name === stored.name) return named
    return { ...named, fragments: await this.#renamed(datastore, named, deadline) }
  }

  /** Words and the built-in vectors depend on the name, too. */
  async #renamed(
    datastore: Datastore,
    document: DocumentVersion,
    { signal }: Deadline,
  ): Promise<Fragment[]> {
    const content = contentOf(document)
    const { embeddingModel, fragmentLength } = datastore.value
    if (isBuiltIn(embeddingModel)) {
      return (await embeddedFragments(datastore, this.#parts.embedder, [content], { signal }))[0]!
    }
    const vectors = new Map(document.fragments.map(({ text, vector }) => [text, vector]))
    const [split = []] = await splitAll([content], fragmentLength, signal)
    // An earlier version cut the text elsewhere.
    if (split.some(({ text }) => !vectors.has(text))) return withNewWords(document, signal)
    return split.map(({ offset, text, words }) => {
      const vector = vectors.get(text)!
      return { offset, text, words, vector }
    })
  }
}

class Raced extends Error {}

const checkSame = (stored: DocumentVersion) => (current: DatasourceInfo | undefined) => {
  if (current?.updatedAt !== stored.updatedAt) throw new Raced()
}

function metadataAfter(stored: DocumentVersion, patch: Metadata | undefined) {
  if (patch === undefined) return {}
  const metadata = merged(parseMetadata(stored.metadata), patch) as Metadata
  if (Buffer.byteLength(JSON.stringify(metadata)) > maxBytes) {
    const detail = `must not make the metadata larger than ${maxBytes} bytes as JSON`
    throw new InvalidRequest([{ pointer: '/metadata', detail }])
  }
  return metadataFields(metadata)
}

type Json = { [member: string]: unknown }

/** A JSON Merge Patch (RFC 7396). */
function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const members = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [member, value] of Object.entries(patch)) {
    if (value === null) members.delete(member)
    else members.set(member, merged(members.get(member), value))
  }
  return Object.fromEntries(members)
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
