/** The known name that `name` most likely misspells, at most `maxDistance(known)` edits away. */
export function nearestName(
  name: string,
  known: readonly string[],
  maxDistance: (known: string) => number,
): string | undefined {
  const near = known
    .map((other) => ({ other, distance: optimalStringAlignment(name, other) }))
    .filter(({ other, distance }) => distance <= maxDistance(other))
  return near.toSorted((one, two) => one.distance - two.distance)[0]?.other
}

function optimalStringAlignment(one: string, two: string): number {
  let before: number[] = []
  let last = Array.from({ length: two.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= two.length; column++) {
      const isSame = one[row - 1] === two[column - 1]
      const isSwapped = one[row - 1] === two[column - 2] && one[row - 2] === two[column - 1]
      next[column] = Math.min(
        last[column]! + 1,
        next[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[column - 2]! + 1 : Infinity,
      )
    }
    before = last
    last = next
  }
  return last[two.length]!
}
