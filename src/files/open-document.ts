const leftOut = new Set(
  'text:tracked-changes office:annotation text:ruby-text office:forms text:hidden-text text:note-citation svg:title svg:desc draw:object text:soft-page-break'.split(
    ' ',
  ),
)

/** Elements that a reader does not see, or sees twice; and ends of pages, which may be between lines of code. */
export const isLeftOut = (name: string): boolean => leftOut.has(name)

/** Blanks may be counted in place of written. */
export const maxSpaces = 100
