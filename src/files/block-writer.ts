import { InlineText } from './inline-text.ts'
import { codeBlock, headingLine, isFilled, tableLines } from './markdown.ts'
import { OpenLists } from './lists.ts'
import { TableRows } from './table-rows.ts'

type Kind = 'text' | 'item' | 'numbered' | 'code'

/** A longer cell belongs to a table that only lays out a page. */
const maxCell = 500

export class BlockWriter {
  readonly inline = new InlineText()
  readonly lists = new OpenLists()
  readonly #blocks: { text: string; isItem: boolean }[] = []
  #lines: string[] = []
  #kind: Kind = 'text'
  #level: number | undefined
  #tables = 0
  readonly #rows = new TableRows()

  /** @throws ServiceError `payload_too_large` */
  text(piece: string): void {
    this.inline.add(piece)
  }

  breakLine(): void {
    if (this.#tables > 0 || this.#level || this.#kind === 'code') return this.text('\n')
    this.#lines.push(collapsed(this.inline.take()))
  }

  endLine(): void {
    if (this.#tables > 0 || this.#level || this.#kind === 'code') return this.endBlock()
    const line = collapsed(this.inline.take())
    if (line !== '') this.#lines.push(line)
  }

  endCodeLine(sign: string): void {
    if (!this.inline.isLineEnded) this.text(sign)
  }

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
    else if (kind === 'code') this.#add(codeBlock(text))
    else if (kind === 'item') this.#add(this.lists.marker() + text, true)
    else if (kind === 'numbered') this.#add(text, true)
    else this.#add(text)
  }

  beginHeading(level: number): void {
    this.endBlock()
    if (this.#tables === 0) this.#level = level
  }

  beginItem(number?: number): void {
    this.#kind = 'item'
    this.lists.beginItem(number)
  }

  endItem(): void {
    this.endBlock()
    this.#kind = 'text'
  }

  beginNumbered(): void {
    if (this.#tables === 0) this.#kind = 'numbered'
  }

  beginCode(): void {
    if (this.#tables === 0) this.#kind = 'code'
  }

  beginTable(): void {
    this.#tables += 1
  }

  beginRow(): void {
    if (this.#tables === 1) this.#rows.beginRow()
  }

  endRowGroup(): void {
    if (this.#tables === 1) this.#rows.endGroup()
  }

  /** Text of a table that is in no cell, such as its caption, stands before it. */
  beginCell(): void {
    if (this.#tables === 1) this.#addAround()
  }

  endCell(columns?: number, rows?: number): void {
    if (this.#tables > 1) return this.text(' ')
    if (this.#tables === 1) this.#rows.add(collapsed(this.inline.take()), columns, rows)
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
    this.#add(collapsed(this.inline.take()))
  }

  #add(text: string, isItem = false): void {
    if (isFilled(text)) this.#blocks.push({ text, isItem })
  }

  #take(): string {
    const piece = this.inline.take()
    if (this.#kind === 'code') return piece.replace(/^\n|\s+$/g, '')
    const lines = [...this.#lines.splice(0), collapsed(piece)]
    return lines.join(this.#level ? ' ' : '\n').trim()
  }
}

const softHyphen = /\u00ad/g

const collapsed = (text: string): string =>
  text
    .replace(softHyphen, '')
    .replace(/[ \t\r\n\f\u00a0]+/g, ' ')
    .trim()
