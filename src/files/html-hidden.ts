const hidden = new Set(
  'script style template noscript title iframe object svg nav select button audio video canvas rt rp annotation-xml'.split(
    ' ',
  ),
)
const pages = new Set(['html', 'body'])
/** Elements that repeat visible text, like KaTeX's formulas. A page behind a dialog hides itself the same way. */
const decorations = new Set(['span', 'i'])
/** Not displayed, not visible, or of no size. */
const showsNothing =
  /(?:^|;)\s*(?:display\s*:\s*none\b|visibility\s*:\s*(?:hidden|collapse)\b|font-size\s*:\s*0(?:px|pt|r?em|%)?\s*(?:!|;|$))/i
const noSize = /(?:^|;)\s*(?:max-)?(?:height|width)\s*:\s*0(?:px|pt|r?em|%)?\s*(?:!|;|$)/i
const clips = /(?:^|;)\s*overflow(?:-[xy])?\s*:\s*(?:hidden|clip)\b/i
const headingLink = /\b(?:headerlink|mw-editsection)\b/

/** Whether a page shows nothing of an element, or nothing to read. A script may show a whole page later. */
export function isHidden(name: string, attributes: Record<string, string>): boolean {
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
