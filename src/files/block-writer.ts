import { maxLengths } from '../../generated/max-lengths.gen.ts'
import { headingLine, tableLines } from './markdown.ts'
import { textTooLong } from './refusals.ts'
import { TableRows } from './table-rows.ts'

type Kind = 'text' | 'item' | 'code'

const maxIndentation = 8
/** In UTF-16 code units, at most two a character; white space that is left out counts too. */
const maxUnits = 4 * maxLengths.DatasourceText
/** A longer cell belongs to a table that only lays out a page. */
const maxCell = 500

export class BlockWriter {
  #units = 0
  readonly #blocks: { text: string; isItem: boolean }[] = []
  #pieces: string[] = []
  #lines: string[] = []
  #kind: Kind = 'text'
  #level: number | undefined
  #marker = '- '
  /** The lists that are open, the outermost first, by the number of their next item. */
  readonly #lists: (number | undefined)[] = []
  #tables = 0
  readonly #rows = new TableRows()

  /** @throws ServiceError `payload_too_large` */
  text(piece: string): void {
    this.#units += piece.length
    if (this.#units > maxUnits) throw textTooLong(maxLengths.DatasourceText)
    this.#pieces.push(piece)
  }

  breakLine(): void {
    if (this.#tables > 0 || this.#level || this.#kind === 'code') return this.text('\n')
    this.#lines.push(collapsed(this.#pieces.join('')))
    this.#pieces = []
  }

  /** A cell is one block, whatever is in it. */
  endBlock(): void {
    if (this.#tables > 0) return this.text(' ')
    const text = this.#take()
    const [kind, level] = [this.#kind, this.#level]
    this.#level = undefined
    // The text of an item may be in a block of its own.
    if (text === '' && kind === 'item') return
    this.#kind = 'text'
    if (text === '') return
    if (level) this.#add(headingLine(level, text))
    else if (kind === 'code') this.#add(`\`\`\`\n${text}\n\`\`\``)
    else if (kind === 'item') this.#add(this.#indentation() + this.#marker + text, true)
    else this.#add(text)
  }

  beginHeading(level: number): void {
    this.endBlock()
    if (this.#tables === 0) this.#level = level
  }

  /** A list whose items have numbers says where they begin. */
  beginList(first?: number): void {
    this.#lists.push(first)
  }

  beginItem(number = this.#lists.at(-1)): void {
    this.#kind = 'item'
    this.#marker = number === undefined ? '- ' : `${number}. `
    if (number !== undefined) this.#lists[this.#lists.length - 1] = number + 1
  }

  endItem(): void {
    this.endBlock()
    this.#kind = 'text'
  }

  endList(): void {
    this.#lists.pop()
  }

  beginCode(): void {
    if (this.#tables === 0) this.#kind = 'code'
  }

  /** A table within a table is text of its cell. */
  beginTable(): void {
    this.#tables += 1
  }

  beginRow(): void {
    if (this.#tables === 1) this.#rows.beginRow()
  }

  /** Text of a table that is in no cell, such as its caption, stands before it. */
  beginCell(): void {
    if (this.#tables === 1) this.#addAround()
  }

  /** How many columns and rows it spans. */
  endCell(columns?: number, rows?: number): void {
    if (this.#tables > 1) return this.text(' ')
    if (this.#tables === 1)
      this.#rows.add(collapsed(this.#pieces.splice(0).join('')), columns, rows)
  }

  endTable(): void {
    this.#tables -= 1
    if (this.#tables > 0) return
    const rows = this.#rows.take()
    this.#addAround()
    const cells = rows.flat()
    if (cells.some((cell) => cell.length > maxCell)) for (const cell of cells) this.#add(cell)
    else this.#add(tableLines(rows).join('\n'))
  }

  end(): string {
    this.endBlock()
    const texts = this.#blocks.map(({ text, isItem }, index) => {
      const isList = isItem && this.#blocks[index - 1]?.isItem
      return index === 0 ? text : `${isList ? '\n' : '\n\n'}${text}`
    })
    return texts.join('')
  }

  #addAround(): void {
    this.#add(collapsed(this.#pieces.splice(0).join('')))
  }

  #add(text: string, isItem = false): void {
    if (text !== '') this.#blocks.push({ text, isItem })
  }

  #take(): string {
    const piece = this.#pieces.splice(0).join('')
    if (this.#kind === 'code') return piece.replace(/^\n|\s+$/g, '')
    const lines = [...this.#lines.splice(0), collapsed(piece)]
    return lines.join(this.#level ? ' ' : '\n').trim()
  }

  /** Below the text of the item that the list is in. */
  #indentation(): string {
    const widths = this.#lists.slice(0, -1).map((next) => (next === undefined ? 2 : 3))
    return ' '.repeat(
      Math.min(
        maxIndentation,
        widths.reduce((sum, width) => sum + width, 0),
      ),
    )
  }
}

const softHyphen = /\u00ad/g

const collapsed = (text: string): string =>
  text
    .replace(softHyphen, '')
    .replace(/[ \t\r\n\f\u00a0]+/g, ' ')
    .trim()
