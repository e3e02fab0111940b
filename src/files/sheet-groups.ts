import { isFilled } from './markdown.ts'

/**
 * Rows with the name of their group, which may stand in the first of them alone, as in pivot tables. Only where rows of
 * several groups have the same name: else a blank cell may as well be none.
 */
export function withGroups(rows: string[][]): string[][] {
  const head = rows.findIndex((row) => row.filter(isFilled).length > 1)
  const starts = rows.slice(head).map((row) => row.findIndex(isFilled))
  const column = starts.reduce((least, start) => Math.min(least, start), Infinity)
  const groups = new Map<string, Set<string>>()
  let group = ''
  const named = rows.slice(0, head + 1)
  for (const row of rows.slice(head + 1)) {
    const [label = '', name = ''] = row.slice(column)
    const begins = isFilled(label)
    if (row.length === 1 || (begins && groups.has(label))) return rows
    if (begins) {
      group = label
      groups.set(label, new Set())
    }
    const names = groups.get(group)
    if (names?.has(name) || (!begins && !isFilled(name))) return rows
    if (isFilled(name)) names?.add(name)
    named.push(begins || !names ? row : row.with(column, group))
  }
  return haveShared([...groups.values()]) ? named : rows
}

function haveShared(groups: ReadonlySet<string>[]): boolean {
  const [first, ...others] = groups.filter(({ size }) => size > 1)
  return first !== undefined && others.some((other) => !other.isDisjointFrom(first))
}
