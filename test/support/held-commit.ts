import { onTestFinished, vi } from 'vitest'
import { OpenTable } from '../../src/store/table/open-table.ts'

/** Holds the next commit to any table until `goOn`. `begun` settles when it is about to be made. */
export function holdNextCommit(): { begun: Promise<void>; goOn: () => void } {
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { commit } = OpenTable.prototype
  const held = async function (this: OpenTable, ...args: Parameters<typeof commit>) {
    begun.resolve()
    await goOn.promise
    return commit.apply(this, args)
  }
  const spy = vi.spyOn(OpenTable.prototype, 'commit').mockImplementationOnce(held)
  onTestFinished(() => spy.mockRestore())
  return { begun: begun.promise, goOn: goOn.resolve }
}
