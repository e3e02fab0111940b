import { spacedCellsOf } from '../../text/spaced-lines.ts'
import { cellsOf } from '../../text/table-lines.ts'
import type { Word } from '../../text/word.ts'
import { words } from '../../text/words.ts'
import { belowComment } from './identifiers.ts'
import { codesIn, hasNumbers, numberTest } from './codes.ts'
import type { Cover } from './cover.ts'
import { jsonValuesIn } from './json-rows.ts'
import { markupCellsOf } from '../../text/markup-tables.ts'
import type { Part } from './part.ts'
import { type ReadText, textAt } from './passages.ts'
import { inBlanks, type QuestionWords } from './question-words.ts'

/** Of cells whose words are all in the question, the one with more of it counts a little more: `8 to 12` before `12`. */
const weightOfMore = 0.1
/** A longer cell is a sentence, which may say anything. */
const maxWordsOfCell = 4

/** Compares the rows of a text with a question. */
export class AskedRows {
  readonly #question: QuestionWords
  readonly #text: ReadText
  readonly #parts: readonly Cover[]
  readonly #name: Cover
  readonly #heads: ReadonlySet<number>
  readonly #numbers = new Map<string, readonly string[]>()

  /** @param parts which words of the question each part has @param name which the name has */
  constructor(question: QuestionWords, text: ReadText, parts: readonly Cover[], name: Cover) {
    this.#question = question
    this.#text = text
    this.#parts = parts
    this.#name = name
    this.#heads = headsIn(text.parts, parts)
  }

  has(part: number): boolean {
    return this.#text.parts[part]!.kind === 'row' && !this.#isHead(part)
  }

  /** How surely the question names a row: 0 if it does not, and 1 more for each way in which it calls a cell as the table does, as `Room 7` and `task A1`. */
  namingOf(row: number): number {
    if (!this.#isNamed(row)) return 0
    const { head } = this.#text.parts[row]!
    const columns = head >= 0 ? this.#cellsOf(head) : []
    const called = this.#cellsOf(row).flatMap((cell, at) => this.#callsOf(cell, columns[at] ?? ''))
    return 1 + called.length
  }

  /** The phrases of the question that are a cell of several words, or a column and its cell. */
  #callsOf(cell: string, column: string): string[] {
    const isOfSeveral = /\S\s+\S/.test(cell)
    const phrases = [isOfSeveral ? cell : '', column && cell ? `${column} ${cell}` : '']
    return phrases.filter(
      (phrase) => phrase !== '' && this.#question.said.includes(inBlanks(phrase)),
    )
  }

  /** Whether the question has all words of a cell, as they are written. Stop words alone name a row in capitals only. */
  #isNamed(row: number): boolean {
    const { capitals, texts } = this.#question
    const numbers = this.#numbersBelow(this.#text.parts[row]!)
    if (numbers.length > 0) return hasNumbers(numbers, this.#textOf(row))
    return this.#cellsOf(row).some((cell) => {
      const all = words(cell)
      const isSaid = all.every(({ text }) => texts.has(text))
      return capitals.has(cell) || (isSaid && this.#shareOf(all) > 0)
    })
  }

  /** The numbers of the question that no heading above and no name of a column has. */
  #numbersBelow({ head, headings }: Part): readonly string[] {
    const key = [head, ...headings].join(' ')
    const known = this.#numbers.get(key)
    if (known) return known
    const above = [head, ...headings].map((part) => this.#textOf(part)).join('\n')
    const isAbove = numberTest(above)
    const own = this.#question.numbers.filter((one) => !isAbove(one))
    this.#numbers.set(key, own)
    return own
  }

  /** Whether a row has a code of the question, and a name or another word that its table's head has not. */
  mayAnswer(row: number): boolean {
    if (this.#isHead(row) || !this.#hasAskedCode(row)) return false
    const { headings, head } = this.#text.parts[row]!
    const isNew = (word: number) => !hasWord(this.#parts[head], word)
    const names = this.#question.names.filter(isNew)
    const above = [this.#name, ...[row - 1, ...headings].map((one) => this.#parts[one])]
    return (
      names.length === 0 ||
      this.#parts[row]!.indexes.some((word) => isNew(word) && this.#question.isNaming(word)) ||
      names.some((name) => above.some((cover) => hasWord(cover, name)))
    )
  }

  /** The share of its best cell's words that the question has: 1 for Guinea, and 1/2 for Equatorial Guinea. */
  exactness(row: number): number {
    const shares = this.#cellsOf(row).map((cell) => {
      const all = words(cell)
      const asked = all.filter((word) => this.#question.coverOf([word]).indexes.length > 0)
      if (asked.length === 0) return 0
      const isSaid = ({ text }: Word) => this.#question.texts.has(text)
      const isWhole = all.every((word) => asked.includes(word) || isSaid(word))
      return isWhole ? 1 + weightOfMore * this.#shareOf(all) : asked.length / all.length
    })
    return Math.max(...shares)
  }

  /** Whether a row below a head has no cell of what is asked. `isOther` says that the question names other rows. */
  lacksColumn(row: number, isColumnNamed: boolean, isOther: boolean): boolean {
    const { asksWho } = this.#question
    if ((isColumnNamed && !asksWho) || !this.#isBelowHead(row)) return false
    const cells = this.#cellsOf(row)
    if (cells.some((cell) => words(cell).length > maxWordsOfCell)) return false
    return (
      !isColumnNamed || (asksWho && (isOther || !cells.some((cell) => this.#isOtherName(cell))))
    )
  }

  #isOtherName(cell: string): boolean {
    const isName = /\p{L}{2}/u.test(cell) && !/\p{N}/u.test(cell)
    return isName && this.#question.coverOf(words(cell)).indexes.length === 0
  }

  /** Also an object of JSON, which names its values itself. */
  #isBelowHead(part: number): boolean {
    const hasNames = this.#text.parts[part]!.head >= 0 || this.#textOf(part).startsWith('{')
    return hasNames && this.has(part)
  }

  #isHead(part: number): boolean {
    return this.#heads.has(part) || isMarkedHead(this.#text, part)
  }

  /** Codes that the row stands under, such as a version in a heading, are not asked of it. */
  #hasAskedCode(row: number): boolean {
    const { codes } = this.#question
    if (codes.length === 0) return true
    const { nameText, parts } = this.#text
    const { headings, head } = parts[row]!
    const codesOf = (part: number) => (parts[part] ? codesIn(this.#textOf(part)) : [])
    const names = nameText.split('/').flatMap((name) => [name, name.replace(/\.\w+$/, '')])
    const above = new Set([...names.flatMap(codesIn), ...[...headings, head].flatMap(codesOf)])
    const asked = codes.filter((code) => !above.has(code))
    const held = new Set(codesOf(row))
    return asked.length === 0 || asked.some((code) => held.has(code))
  }

  #textOf(part: number): string {
    return textAt(this.#text, this.#text.parts[part])
  }

  #cellsOf(row: number): string[] {
    const [text, { cells }] = [this.#textOf(row), this.#text.parts[row]!]
    if (text.startsWith('{')) return jsonValuesIn(text)
    if (cells === '<') return markupCellsOf(text)
    if (cells === ' ') return spacedCellsOf(text)
    return cells ? belowComment(text).split(cells) : cellsOf(text)
  }

  #shareOf(text: readonly Word[]): number {
    return this.#question.shareOf(this.#question.coverOf(text))
  }
}

const hasWord = (cover: Cover | undefined, word: number): boolean =>
  cover?.indexes.includes(word) ?? false

/** The rows that are heads of rows which have a word of the question that the head has not. */
function headsIn(parts: ReadText['parts'], covers: readonly Cover[]): Set<number> {
  const rows = parts.entries().filter(([index, { kind, head }]) => {
    const hasWords = covers[index]!.indexes.some((word) => !hasWord(covers[head], word))
    return kind === 'row' && hasWords
  })
  return new Set(rows.map(([, { head }]) => head))
}

/** As `#code	name`: a comment to the programs that read the table. Settings are none, nor are tags, nor `# of cpus` below other rows. */
function isMarkedHead(text: ReadText, index: number): boolean {
  const { parts } = text
  const rowAt = (at: number) => {
    const part = parts[at]
    return part && ['head', 'row'].includes(part.kind) ? textAt(text, part) : ''
  }
  const isTag = (at: number) => /^#\p{L}/v.test(rowAt(at))
  const isSetting = parts[index]?.cells === '='
  if (isSetting || !/^#\s*\p{L}/v.test(rowAt(index))) return false
  let first = index
  while (rowAt(first - 1) !== '') first -= 1
  if (!rowAt(first).startsWith('#')) return false
  return !isTag(index) || !(isTag(index - 1) || isTag(index + 1))
}
