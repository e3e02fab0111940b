import type { Table } from '@lancedb/lancedb'
import { setTimeout as pause } from 'node:timers/promises'

const pollMilliseconds = 25

/** How many files hold the rows. */
export const filesOf = async (table: Table): Promise<number> =>
  (await table.stats()).fragmentStats.numFragments

/**
 * Settles once a merger has merged files, if somebody waits for that, or is over. LanceDB does not tell
 * when, but while rows are only added, nothing else makes them fewer.
 * @param before how many there were before it began
 * @returns whether it is not over yet
 */
export async function areMergedEarly(
  table: Table,
  before: number,
  isAwaited: () => boolean,
  merger: Promise<unknown>,
): Promise<boolean> {
  let isOver = false
  const over = () => void (isOver = true)
  merger.then(over, over)
  while (!isOver) {
    if (isAwaited()) {
      await table.checkoutLatest()
      if ((await filesOf(table)) < before) return !isOver
    }
    await pause(pollMilliseconds)
  }
  return false
}
