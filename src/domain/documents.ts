import { WriteSlice } from '../process/time-slice.ts'
import type { Document, DocumentVersion, Fragment, StoredDocument } from '../store/types.ts'

export type Metadata = Record<string, unknown> | null

/** A document as sent. An update keeps the name and metadata that it leaves out. */
export type NewDocument = {
  text: string
  name?: string
  metadata?: Metadata
  /** Its user's name for it. A document without a key is new each time. */
  key?: string | null
  pages?: Pages
  /** Of its file. Null for other texts. */
  encoding?: string | null
}

/** Where the pages of its file begin in a document's text. Null if it has none. */
export type Pages = number[] | null

function sourceOf(metadata: Metadata): string {
  const candidates = [metadata?.source_url, metadata?.source, metadata?.url]
  return candidates.find(isText) ?? ''
}

function customIdsOf(metadata: Metadata): string[] {
  const values = [metadata?.custom_id].flat()
  return [...new Set(values.filter(isScalar).map(String))]
}

export function wholeText(pieces: StoredDocument['pieces']): string {
  let text = ''
  for (const piece of pieces) text += piece.text.slice(text.length - piece.offset)
  return text
}

export const contentOf = ({ name, fragments, pages }: DocumentVersion): NewDocument => ({
  name,
  text: wholeText(fragments),
  pages: parsePages(pages),
})

export const parsePages = (json: string | null): Pages => (json === null ? null : JSON.parse(json))

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

export const metadataFields = (
  metadata: Metadata,
): Pick<Document, 'metadata' | 'source' | 'customIds'> => ({
  metadata: metadata && JSON.stringify(metadata),
  source: sourceOf(metadata),
  customIds: customIdsOf(metadata),
})

type Identity = Pick<Document, 'id' | 'key' | 'batch' | 'digest'>

/** Documents as they are stored. Members left out are empty. */
export async function toStored(
  documents: NewDocument[],
  identityOf: (document: NewDocument, index: number) => Identity,
  fragments: Fragment[][],
): Promise<Document[]> {
  const slice = new WriteSlice()
  const stored: Document[] = []
  for (const [index, document] of documents.entries()) {
    const { name = '', metadata = null, pages = null, encoding = null } = document
    const file = { pages: pages && JSON.stringify(pages), encoding }
    const fields = { name, ...metadataFields(metadata), ...file }
    stored.push({ ...identityOf(document, index), ...fields, fragments: fragments[index]! })
    await slice.pause()
  }
  return stored
}

export const parseMetadata = (json: string | null): Metadata =>
  json === null ? null : JSON.parse(json)
