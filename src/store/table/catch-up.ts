import type { OpenTable } from './open-table.ts'

/** Lets the next reads miss nothing, for a write over what they find. */
export async function catchUp(table: OpenTable): Promise<void> {
  if (table.mayMissOthers) await table.read((lance) => lance.checkoutLatest())
}
