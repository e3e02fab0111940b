import type { Heading } from './headings.ts'

/** The headings of the sections that are open, highest first. */
export class HeadingPath {
  #open: Heading[] = []

  enter(heading: Heading): void {
    this.#open = [...this.#open.filter(({ level }) => level < heading.level), heading]
  }

  /** Those above a heading of that level, or above a text. */
  titlesAbove(below = Infinity): string[] {
    return this.#open.filter(({ level }) => level < below).map(({ title }) => title)
  }
}
