/** The shapes that the store takes and gives. */

export type { TableReport } from './checks/store-check.ts'
export type { DocumentFilter, FragmentTable } from './fragments/fragment-table.ts'
export type {
  Document,
  DatasourceInfo,
  DocumentVersion,
  Fragment,
  StoredDocument,
} from './fragments/documents.ts'
export type { Check, Put } from './fragments/write-plans.ts'
export type { WeightedTokens } from './lance/search-indexes.ts'
export type { PageCursor } from './lance/filter.ts'
export type { NewMessage, StoredMessage } from './records/message-table.ts'
export type { Extent } from './records/messages.ts'
export type { IsValid, Stored } from './records/record-rows.ts'
export type { Found, Hit, SearchFilters } from './fragments/found.ts'
export type { SampledTerms, TermStatistics } from './fragments/term-statistics.ts'
