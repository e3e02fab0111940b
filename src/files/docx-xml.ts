import { mathTag } from './docx-math.ts'
import { XmlEditor } from './xml-edit.ts'

/** Tags that mammoth leaves out with all that is in them, though a reader sees that. */
const unwrapped = new Set(
  'w:fldSimple w:bdo w:dir w:ruby w:rubyBase mc:AlternateContent mc:Choice mc:Fallback'.split(' '),
)
/** Pronunciation, settings of a content control, and formats before a tracked change. */
const leftOut = new Set(['w:rt', 'w:rubyPr', 'w:sdtPr', 'w:rPrChange', 'w:pPrChange'])
const written = new Set(['w:t', 'w:tab', 'w:sym', 'w:br', 'w:cr', 'w:noBreakHyphen'])
const no = /^(?:0|false|off)$/

/** WordprocessingML in which mammoth finds all text that a reader sees, and no hidden one. */
export const docxXml = (xml: string): string => new DocxEditor(xml).edited()

class DocxEditor {
  readonly #editor: XmlEditor
  #isHidden = false
  readonly #boxes: string[][] = []
  /** Of each `mc:AlternateContent` that is open, whether its first choice has a box of text. */
  readonly #choices: { hasBox: boolean }[] = []

  constructor(xml: string) {
    this.#editor = new XmlEditor(xml, {
      onOpen: (name, attributes) => this.#open(name, attributes),
      onClose: (name) => this.#close(name),
    })
  }

  edited(): string {
    return this.#editor.edited()
  }

  #open(name: string, attributes: Record<string, string>): void {
    if (name === 'w:r') this.#isHidden = false
    if (name === 'w:vanish') this.#isHidden = !no.test(attributes['w:val'] ?? '')
    if (name === 'mc:AlternateContent') this.#choices.push({ hasBox: false })
    const isSecond = name === 'mc:Fallback' && this.#choices.at(-1)?.hasBox
    if (isSecond || leftOut.has(name) || (this.#isHidden && written.has(name))) {
      return this.#editor.leaveOut()
    }
    if (name === 'w:drawing') return this.#openDrawing()
    if (name === 'w:txbxContent') return this.#openBox()
    if (name === 'w:cr' || name === 'w:br') return this.#editor.replaceTag('<w:br/>')
    if (name.startsWith('m:')) return this.#editor.replaceTag(mathTag('open', name, attributes))
    if (unwrapped.has(name)) this.#editor.replaceTag('')
  }

  #close(name: string): void {
    if (name === 'mc:AlternateContent') this.#choices.pop()
    if (name.startsWith('m:')) this.#editor.replaceTag(mathTag('close', name))
    if (unwrapped.has(name)) this.#editor.replaceTag('')
  }

  /** Mammoth reads the boxes of a picture as older versions of Word write them. */
  #openDrawing(): void {
    const boxes: string[] = []
    this.#boxes.push(boxes)
    this.#editor.divert((drawing) => {
      this.#boxes.pop()
      return boxes.length > 0 ? `<w:pict>${boxes.join('')}</w:pict>` : drawing
    })
  }

  #openBox(): void {
    const [boxes, choice] = [this.#boxes.at(-1), this.#choices.at(-1)]
    if (!boxes) return
    if (choice) choice.hasBox = true
    this.#editor.divert((box) => {
      boxes.push(box)
      return ''
    })
  }
}
