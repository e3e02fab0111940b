/** The share of the documents with a gain that are among the first `depth` of a ranking. */
export function recall(
  ranked: string[],
  gains: ReadonlyMap<string, number>,
  depth: number,
): number {
  const wanted = new Set([...gains].filter(([, gain]) => gain > 0).map(([document]) => document))
  return wanted.size === 0
    ? 0
    : wanted.intersection(new Set(ranked.slice(0, depth))).size / wanted.size
}
