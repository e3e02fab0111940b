import { maxLengths } from '../../generated/max-lengths.gen.ts'
import { headingLine, tableLines } from './markdown.ts'
import { textTooLong } from './refusals.ts'

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
  #depth = 0
  #tables = 0
  #rows: string[][] = []

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
    this.#kind = 'text'
    this.#level = undefined
    if (text === '') return
    if (level) this.#add(headingLine(level, text))
    else if (kind === 'code') this.#add(`\`\`\`\n${text}\n\`\`\``)
    else if (kind === 'item') this.#add(`${' '.repeat(this.#indentation())}- ${text}`, true)
    else this.#add(text)
  }

  beginHeading(level: number): void {
    this.endBlock()
    if (this.#tables === 0) this.#level = level
  }

  beginItem(): void {
    this.#kind = 'item'
  }

  beginCode(): void {
    if (this.#tables === 0) this.#kind = 'code'
  }

  nest(step: 1 | -1): void {
    this.#depth += step
  }

  /** A table within a table is text of its cell. */
  beginTable(): void {
    this.#tables += 1
  }

  beginRow(): void {
    if (this.#tables === 1) this.#rows.push([])
  }

  beginCell(): void {
    if (this.#tables === 1) this.#pieces = []
  }

  endCell(): void {
    if (this.#tables === 1) this.#rows.at(-1)?.push(collapsed(this.#pieces.splice(0).join('')))
  }

  endTable(): void {
    this.#tables -= 1
    if (this.#tables > 0) return
    const rows = this.#rows.splice(0)
    this.#pieces = []
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

  #add(text: string, isItem = false): void {
    if (text !== '') this.#blocks.push({ text, isItem })
  }

  #take(): string {
    const piece = this.#pieces.splice(0).join('')
    if (this.#kind === 'code') return piece.replace(/^\n|\s+$/g, '')
    const lines = [...this.#lines.splice(0), collapsed(piece)]
    return lines.join(this.#level ? ' ' : '\n').trim()
  }

  #indentation(): number {
    return Math.max(0, Math.min(maxIndentation, 2 * (this.#depth - 1)))
  }
}

const collapsed = (text: string): string => text.replace(/[ \t\r\n\f\u00a0]+/g, ' ').trim()
