import type { Table } from '@lancedb/lancedb'
import { setTimeout as pause } from 'node:timers/promises'

/** To count files takes a millisecond. */
const pollMilliseconds = 50

/** How many files hold the rows. */
export const filesOf = async (table: Table): Promise<number> =>
  (await table.stats()).fragmentStats.numFragments

/**
 * Settles once a merger has merged files and somebody waits for that, or it is over. LanceDB does not
 * tell when, but while rows are only added, nothing else makes files fewer.
 * @param before how many there were before it began
 * @returns whether somebody waits; else it is over
 */
export async function areMergedEarly(
  table: Table,
  before: number,
  isAwaited: () => boolean,
  merger: Promise<unknown>,
): Promise<boolean> {
  const over = merger.then(
    () => true,
    () => true,
  )
  let [isMerged, most] = [false, before]
  do {
    if (!isMerged) {
      await table.checkoutLatest()
      const files = await filesOf(table)
      isMerged = files < most
      most = Math.max(most, files)
    }
    if (isMerged && isAwaited()) return true
  } while (!(await Promise.race([over, pause(pollMilliseconds, false)])))
  return false
}
