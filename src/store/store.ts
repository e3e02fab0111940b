/** The door of the store: what is opened, read and written from outside. */

export { describeFormat, isFormat, Note, StoreFormat } from './checks/format.ts'
export { checkTables, tablesOf, tellStrays, withoutKeys } from './checks/start-checks.ts'
export { checkStore, foreignColumns } from './checks/store-check.ts'
export { Database } from './database/database.ts'
export { currentFormat } from './fragments/formats.ts'
export { Fragments, vectorsOf } from './fragments/fragments.ts'
export { Messages, messagesTable } from './records/messages.ts'
export { isInstant } from './records/record-rows.ts'
export { Records } from './records/records.ts'
export { UpkeepLeases, withLease } from './records/lease.ts'
export {
  areOfOneMoment,
  bestFirst,
  idfsOf,
  maxScore,
  normalized,
  union,
} from './fragments/found.ts'
export { metadataCondition } from './fragments/metadata-condition.ts'
