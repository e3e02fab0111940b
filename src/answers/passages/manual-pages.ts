/** Nothing of a manual page's SYNOPSIS is quoted; its NAME is one line. Undefined for other parts. */
export function kindInManual(
  kind: string,
  text: string,
  heading: string,
): 'skipped' | 'name' | undefined {
  if (kind !== 'heading' && synopsis.test(heading)) return 'skipped'
  const isName = kind === 'text' && nameOfPage.test(heading) && programOf(text) !== ''
  return isName ? 'name' : undefined
}

const synopsis = /^\W*synopsis\W*$/i
const nameOfPage = /^\W*NAME\W*$/

/** The programs that the NAME of a manual page begins with, as in `tac - print files in reverse`. */
export const programOf = (name: string): string =>
  /^(\S[^\n]{0,200}?)\s[-–—]\s/.exec(name)?.[1] ?? ''
