import type { Backlog } from './backlog.ts'
import type { Coverage } from './coverage.ts'
import type { Writers } from './upkeep.ts'

/** A query compares every vector that is at hand and in no index: a thousand take a millisecond. */
const fewestVectors = 1_000
const shareOfVectors = 1 / 50

/**
 * Once nothing was written for so long, fewer are enough, for they may stay the last: to compare 400 of
 * them takes as long as the rest of a query by vector of 20,000 fragments, one of many at once.
 */
export const quietMilliseconds = 5_000
const fewestVectorsWhenQuiet = 100
/** Of a small table, where each that is not indexed is held in memory: fewer take less than an index. */
const fewestWordsWhenQuiet = 16

/**
 * What is gone and may be counted all the same has searches by words look further: with 12 gone of 20,000,
 * 16 clients had 15 to 20 % fewer answers. To make their index anew takes 40 ms of a processor for 2,000
 * short texts, and .4 s for 50,000.
 */
const fewestGone = 1_000
const shareGone = 1 / 10
const shareGoneWhenQuiet = 1 / 10_000

/** How it stands with a table. */
export type Standing = Pick<Writers, 'indexes' | 'fresh'> & {
  backlog: Backlog
  coverage: Coverage
  /** Whether something was written, but nothing for a while. */
  isQuiet: boolean
  /** Whether it has the indexes of a large table. */
  isGrown: boolean
  /** Whether the disk has no room, so that whatever is not needed is to go. */
  isFull: boolean
}

/**
 * What is to be done to a table next: its files merged, which brings all indexes up to date, or only
 * that of words made anew, and what else it needs once it is large.
 */
export function dueOf(table: Standing): 'merge' | 'index' | undefined {
  const { backlog, indexes, isFull } = table
  if (backlog.isMergeDue || areVectorsDue(table) || (isFull && !backlog.isEmpty)) return 'merge'
  if (!indexes) return undefined
  const areNewWordsDue = backlog.areWordsDue && !isFreshAtHand(table)
  const areWordsDue = areNewWordsDue || areLastWordsDue(table) || isGoneDue(table)
  const mayGrow = !table.isGrown && backlog.rows >= indexes.fewestRows
  return areWordsDue || mayGrow ? 'index' : undefined
}

/** Whether what the indexes do not hold is at hand. */
function isFreshAtHand({ coverage: { isIndexed, until }, fresh }: Standing): boolean {
  const since = fresh?.since
  return isIndexed && until !== undefined && since !== undefined && since <= until
}

/**
 * Of a small table, where those of words are made without a merger: once it is quiet, and where an
 * earlier life left some out, for which those are cannot be told by their time.
 */
function areLastWordsDue({ coverage, isQuiet }: Standing): boolean {
  const { isWordsOnly, until, fresh } = coverage
  if (!isWordsOnly || fresh === 0) return false
  return until === undefined || (isQuiet && fresh >= fewestWordsWhenQuiet)
}

/** Where others write to the table, too, nobody counts what is gone of it. */
function isGoneDue({ backlog, coverage, isQuiet, fresh }: Standing): boolean {
  const enough = isQuiet
    ? Math.max(1, backlog.rows * shareGoneWhenQuiet)
    : Math.max(fewestGone, backlog.rows * shareGone)
  return fresh !== undefined && coverage.gone >= enough
}

/** They are indexed as files are merged. */
function areVectorsDue(table: Standing): boolean {
  const { backlog, coverage, isQuiet } = table
  const whenBusy = Math.max(fewestVectors, backlog.rows * shareOfVectors)
  const enough = isQuiet ? fewestVectorsWhenQuiet : whenBusy
  return coverage.isIndexed && coverage.fresh >= (isFreshAtHand(table) ? enough : 1)
}
