import type { Found } from '../store/types.ts'

/** Keeps the first `max` items of each datasource, or all if `max` is undefined. */
export function firstOfEach<Item extends { found: Found }>(
  items: Item[],
  max: number | undefined,
): Item[] {
  if (max === undefined) return items
  const counts = new Map<string, number>()
  return items.filter(({ found: { datasourceId } }) => {
    const count = (counts.get(datasourceId) ?? 0) + 1
    counts.set(datasourceId, count)
    return count <= max
  })
}
