import type { Attributes } from './xml.ts'

const hidden = new Set(
  'script style template noscript title iframe object svg nav select audio video canvas rt rp annotation-xml del s strike'.split(
    ' ',
  ),
)
const pages = new Set(['html', 'body'])
/** Elements that repeat visible text, like KaTeX's formulas. A page behind a dialog hides itself the same way. */
const decorations = new Set(['span', 'i'])
const showsNothing = /(?:^|;)\s*(?:display\s*:\s*none\b|visibility\s*:\s*(?:hidden|collapse)\b)/i
const noFontSize = /(?:^|;)\s*font-size\s*:\s*0(?:px|pt|r?em|%)?\s*(?:!|;|$)/i
/** Not one that depends on the size around it. */
const ownFontSize =
  /(?:^|;)\s*font(?:-size)?\s*:[^;]*?(?:[\d.](?:px|pt|pc|rem|cm|mm|in|v[hw])\b|\b(?:small|medium|large)\b)/i
const noSize = /(?:^|;)\s*(?:max-)?(?:height|width)\s*:\s*0(?:px|pt|r?em|%)?\s*(?:!|;|$)/i
const clips = /(?:^|;)\s*overflow(?:-[xy])?\s*:\s*(?:hidden|clip)\b/i
const headingLink = /\b(?:headerlink|mw-editsection)\b/

/** What stands in these names something, even if it is a button, as in lists of questions. */
const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt', 'summary', 'legend'])

export class HiddenParts {
  readonly #open: { hasNoSize: boolean; isHeading: boolean }[] = []
  /** The open elements where a hidden one begins, 0 outside of it. */
  #hidden = 0

  get isHidden(): boolean {
    return this.#hidden > 0
  }

  /** Mails of MJML have elements of no font size around others that have one. */
  get isTextHidden(): boolean {
    return this.isHidden || this.#open.at(-1)?.hasNoSize === true
  }

  open(name: string, attributes: Attributes): void {
    const { hasNoSize, isHeading } = this.#open.at(-1) ?? { hasNoSize: false, isHeading: false }
    const count = this.#open.push({
      hasNoSize: isWithoutSize(name, attributes, hasNoSize),
      isHeading: isHeading || headings.has(name),
    })
    const isControl = name === 'button' && !isHeading
    if (this.#hidden === 0 && (isControl || isHidden(name, attributes))) this.#hidden = count
  }

  close(): void {
    if (this.#hidden === this.#open.length) this.#hidden = 0
    this.#open.pop()
  }
}

/** A font size is inherited. A class may have one. */
function isWithoutSize(name: string, attributes: Attributes, isAround: boolean): boolean {
  const { style = '', class: classes = '' } = attributes
  if (noFontSize.test(style)) return !pages.has(name)
  return isAround && classes === '' && !ownFontSize.test(style)
}

/** Whether a page shows nothing of an element, or nothing to read. A script may show a whole page later. */
function isHidden(name: string, attributes: Attributes): boolean {
  if (hidden.has(name) || isHiding(attributes['hidden'])) return !pages.has(name)
  if (decorations.has(name) && attributes['aria-hidden'] === 'true') return true
  if (name === 'annotation') return !/tex/i.test(attributes['encoding'] ?? '')
  if (name === 'dialog' && attributes['open'] === undefined) return true
  if (headingLink.test(attributes['class'] ?? '')) return true
  const style = attributes['style'] ?? ''
  const isInvisible = showsNothing.test(style) || (noSize.test(style) && clips.test(style))
  return !pages.has(name) && isInvisible
}

/** `hidden=until-found` is shown by the browser's search, so its text is kept. */
const isHiding = (value: string | undefined): boolean =>
  value !== undefined && value.toLowerCase() !== 'until-found'
