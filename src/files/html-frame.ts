import type { Attributes } from './xml.ts'

/** What a page has of its own, beside what it is about (HTML-AAM). */
const ofPage = new Set(['header', 'footer', 'aside'])
/** In these they belong to what the page is about. */
const content = new Set(['article', 'main', 'section', 'blockquote', 'td', 'figure', 'details'])
const roles = new Set(
  'navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar'.split(
    ' ',
  ),
)
/** Names that consent programs give to their dialogs. A page may have them on its whole. */
const consent =
  /(?:^|\s)(?!has-|with-|no-)(?:[\w-]*(?:cookie|consent|gdpr)[\w-]*(?:banner|bar|notice|popup|modal|overlay|dialog|message|consent)|onetrust-[\w-]+|CybotCookiebot\w*|usercentrics-\w+|didomi-\w+|qc-cmp2-\w+|truste_\w+|cc-window)(?=$|\s)/i
/** Names that many pages give to menus, popups and other surroundings. */
const around =
  /(?:^|\s)(?:(?:main|site|top|primary|secondary)-?nav(?:igation)?|nav-?menu|menu-?bar|(?:site|page)-?footer|(?:site|page)-?header|skip-?links?|skip-to-content|(?:[\w-]+-)?help-popup|(?:newsletter|subscribe|sign-?up)-(?:popup|modal))(?=$|\s)/i
/** In what a page is about, these are words like any other. */
const bare = /(?:^|\s)(?:cookies?|nav|navbar|navigation|breadcrumbs?|sidebar|footer)(?=$|\s)/i
/** A heading has an id of its words, and a row may be the footer of its table. */
const neverNamed = /^(?:h[1-6]|tr|td|th|tbody|tfoot|thead)$/
const whole = new Set(['html', 'body', 'main', 'article'])

/** Recognizes the frame of a page, which other pages share, as its elements open and close. */
export class PageFrame {
  readonly #open: boolean[] = []
  #depth = 0
  /** The open elements where the frame begins, 0 outside of it, and where a title in it begins. */
  #frame = 0
  #title = 0

  get isLeftOut(): boolean {
    return this.#frame > 0 && this.#title === 0
  }

  open(name: string, attributes: Attributes): void {
    const isFrame = this.#isFrame(name, attributes)
    const isContent = content.has(name) || attributes['role'] === 'main'
    const count = this.#open.push(isContent)
    if (isContent) this.#depth += 1
    if (isFrame && this.#frame === 0) this.#frame = count
    if (this.#frame > 0 && name === 'h1' && this.#title === 0) this.#title = count
  }

  close(): void {
    if (this.#frame === this.#open.length) this.#frame = 0
    if (this.#title === this.#open.length) this.#title = 0
    if (this.#open.pop()) this.#depth -= 1
  }

  #isFrame(name: string, attributes: Attributes): boolean {
    if (whole.has(name)) return false
    const { role = '' } = attributes
    const isOfPage = ofPage.has(name) && this.#depth === 0 && role === ''
    return isOfPage || roles.has(role.toLowerCase()) || this.#isNamed(name, attributes)
  }

  /** Programs take the id of a section from its heading. */
  #isNamed(name: string, { id = '', class: classes = '' }: Attributes): boolean {
    if (neverNamed.test(name)) return false
    const patterns = this.#depth === 0 ? [consent, around, bare] : [consent, around]
    const names = name === 'section' ? [classes] : [id, classes]
    return names.some((one) => patterns.some((pattern) => pattern.test(one)))
  }
}
