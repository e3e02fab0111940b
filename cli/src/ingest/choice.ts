import picomatch from 'picomatch'

/** Whether a path below a folder is taken; it is written with `/`. */
export type Choice = (path: string) => boolean

/** Patterns without `/` are compared with the name alone, as in .gitignore. */
export function choiceOf(include: string[] = ['**'], exclude: string[] = []): Choice {
  const isIn = matcher(include)
  const isOut = matcher(exclude)
  return (path) => isIn(path) && !isOut(path)
}

function matcher(patterns: string[]): Choice {
  // With `s` a pattern takes a line break in a name as any other character.
  const matchers = patterns.map((text) =>
    picomatch(text, { basename: !text.includes('/'), flags: 's' }),
  )
  return (path) => matchers.some((matches) => matches(path))
}
