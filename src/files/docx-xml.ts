import { chunkParagraph } from './docx-chunks.ts'
import { mathElements, mathTag } from './math-text.ts'
import type { Numbering } from './docx-numbering.ts'
import { Paragraph, runsOf, withRuns } from './docx-paragraph.ts'
import { type DocxStyles, isOn } from './docx-styles.ts'
import { XmlEditor } from './xml-edit.ts'
import type { Attributes } from './xml.ts'

/** Tags that mammoth would drop with all their content, which a reader sees. */
const unwrapped = new Set(
  'w:fldSimple w:bdo w:dir w:ruby w:rubyBase mc:AlternateContent mc:Choice mc:Fallback'.split(' '),
)
/** Pronunciation, settings of a content control, and formats before a tracked change. */
const leftOut = new Set(['w:rt', 'w:rubyPr', 'w:sdtPr', 'w:rPrChange', 'w:pPrChange'])
const written = new Set(['w:t', 'w:tab', 'w:sym', 'w:br', 'w:cr', 'w:noBreakHyphen'])

type Around = {
  styles: DocxStyles
  numbering: Numbering
  drawn: (reference: string) => string
}

/** Edits WordprocessingML so that mammoth finds all visible text and no hidden text. */
export class DocxEditor {
  /** Paragraphs with text outside of tables. */
  readonly paragraphs: Paragraph[] = []
  readonly #editor: XmlEditor
  readonly #around: Around
  #isHidden = false
  #runs = 0
  #cells = 0
  #columnsBefore = 0
  readonly #open: Paragraph[] = []
  /** The runs of a large first letter, which is a paragraph of its own. */
  #dropCap = ''
  readonly #boxes: string[][] = []
  /** For each open `mc:AlternateContent`, whether its first choice has a text box. */
  readonly #choices: { hasBox: boolean }[] = []

  constructor(xml: string, around: Around) {
    this.#around = around
    this.#editor = new XmlEditor(xml, {
      onOpen: (name, attributes) => this.#onOpen(name, attributes),
      onText: (text, parent) => {
        if (parent === 'w:t') this.#open.at(-1)?.add(text)
      },
      onClose: (name) => this.#onClose(name),
    })
  }

  edited(): string {
    return this.#editor.edited()
  }

  #onOpen(name: string, attributes: Attributes): void {
    if (name === 'w:r') [this.#isHidden, this.#runs] = [false, this.#runs + 1]
    if (name === 'w:tc') this.#cells += 1
    if (name === 'w:gridBefore') this.#columnsBefore = Number(attributes['w:val']) || 0
    if (name === 'w:vanish') this.#isHidden = isOn(attributes['w:val'] ?? '')
    if (name === 'mc:AlternateContent') this.#choices.push({ hasBox: false })
    const isSecond = name === 'mc:Fallback' && this.#choices.at(-1)?.hasBox
    if (isSecond || leftOut.has(name) || (this.#isHidden && written.has(name))) {
      return this.#editor.leaveOut()
    }
    if (name === 'w:p') return this.#editor.isEmpty ? undefined : this.#openParagraph()
    this.#open.at(-1)?.open(name, attributes, this.#runs > 0)
    if (name === 'w:altChunk') {
      return this.#editor.divert(() => chunkParagraph(attributes['r:id'] ?? ''))
    }
    if (name === 'w:drawing') return this.#openDrawing()
    if (name === 'w:txbxContent') return this.#openBox()
    if (name === 'dgm:relIds') return this.#addDrawn(attributes['r:dm'] ?? '')
    if (name === 'c:chart') return this.#addDrawn(attributes['r:id'] ?? '')
    if (name === 'w:cr' || name === 'w:br') return this.#editor.replaceTag('<w:br/>')
    if (name.startsWith('m:')) return this.#openMath(name, attributes)
    if (unwrapped.has(name)) this.#editor.replaceTag('')
  }

  #onClose(name: string): void {
    if (name === 'w:r') this.#runs -= 1
    if (name === 'w:tc') this.#cells -= 1
    if (name === 'w:trPr') this.#fillRow()
    if (name === 'mc:AlternateContent') this.#choices.pop()
    if (name.startsWith('m:')) this.#editor.replaceTag(mathTag('close', name))
    if (unwrapped.has(name)) this.#editor.replaceTag('')
  }

  #fillRow(): void {
    const columns = this.#columnsBefore
    this.#columnsBefore = 0
    if (columns === 0) return
    const cell = `<w:tc><w:tcPr><w:gridSpan w:val="${columns}"/></w:tcPr><w:p/></w:tc>`
    this.#editor.replaceTag(`</w:trPr>${cell}`)
  }

  #openMath(name: string, attributes: Attributes): void {
    const element = mathElements[name]
    if (element) this.#editor.divert(element)
    this.#editor.replaceTag(mathTag('open', name, attributes))
  }

  #openParagraph(): void {
    const paragraph = new Paragraph(this.#around.styles)
    const [isInCell, runs] = [this.#cells > 0, this.#runs]
    this.#runs = 0
    this.#open.push(paragraph)
    this.#editor.divert((xml) => {
      this.#open.pop()
      this.#runs = runs
      if (paragraph.isDropCap) {
        this.#dropCap += runsOf(xml)
        return ''
      }
      const whole = withRuns(this.#dropCap, xml)
      this.#dropCap = ''
      if (!isInCell && paragraph.text !== '') this.paragraphs.push(paragraph)
      return paragraph.edited(whole, this.#around.numbering, isInCell)
    })
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

  #addDrawn(reference: string): void {
    const content = this.#around.drawn(reference)
    if (content !== '') this.#boxes.at(-1)?.push(`<w:txbxContent>${content}</w:txbxContent>`)
  }
}
