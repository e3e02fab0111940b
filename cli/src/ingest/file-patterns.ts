import picomatch from 'picomatch'

/** Whether a file is ingested, by its path below the folder, with `/` between. */
export type IsChosen = (path: string) => boolean

/** Patterns without `/` are compared with the name alone, as in .gitignore. */
export function chosenBy(include: string[] = ['**'], exclude: string[] = []): IsChosen {
  const isIn = matcher(include)
  const isOut = matcher(exclude)
  return (path) => isIn(path) && !isOut(path)
}

function matcher(patterns: string[]): IsChosen {
  // With `s` a pattern matches a line break in a name.
  const matchers = patterns.map((text) =>
    picomatch(text, { basename: !text.includes('/'), flags: 's' }),
  )
  return (path) => matchers.some((matches) => matches(path))
}
