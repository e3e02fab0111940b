import type { Found } from '../store/types.ts'

export const copyKey = ({ text }: Found): string => text.trim()

export function firstOfCopies<Item extends { found: Found }>(items: Item[]): Item[] {
  const firsts = new Map<string, Item>()
  for (const item of items) {
    const key = copyKey(item.found)
    if (!firsts.has(key)) firsts.set(key, item)
  }
  return [...firsts.values()]
}

/** Gives copies the score of the best, unless their names hold different shares of the query. */
export function withEqualCopies<Item extends { found: Found; score: number }>(
  items: Item[],
  nameShare: (found: Found) => number,
): Item[] {
  const copies = Map.groupBy(items, ({ found }) => copyKey(found))
  if (copies.size === items.length) return items
  const best = new Map<Found, number>()
  for (const group of copies.values().filter(({ length }) => length > 1)) {
    for (const alike of Map.groupBy(group, ({ found }) => nameShare(found)).values()) {
      const score = Math.max(...alike.map((item) => item.score))
      for (const { found } of alike) best.set(found, score)
    }
  }
  for (const item of items) item.score = best.get(item.found) ?? item.score
  return items
}

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
