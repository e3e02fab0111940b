const maxDepth = 32
/** No valid body has more values in a list or object, nor in its first levels together. */
const maxValues = 10_000
const shallowLevels = 3

const tooDeep = `holds values more than ${maxDepth} levels deep`

/** Offsets in the whole body; `end` is exclusive. */
export type ByteSpan = [start: number, end: number]

/** The value that holds too much. Its path has a member's name as the span with the quotes. */
export type Excess = { path: (ByteSpan | number)[]; detail: string }

/** Finds excesses in JSON before they hold up the parser, which checks the syntax. */
export class JsonScanner {
  readonly changedNumbers: ByteSpan[] = []

  #offset = 0
  #state: State = outside
  #number = ''
  #stringStart = 0
  #string: ByteSpan = [0, 0]
  #depth = 0
  #shallow = 0
  readonly #sizes = new Uint32Array(maxDepth + 1)
  readonly #isList = new Uint8Array(maxDepth + 1)
  readonly #memberNames: ByteSpan[] = []

  /** Returns the first excess. Nothing may be scanned after it. */
  scan(piece: Buffer): Excess | undefined {
    for (let index = 0; index < piece.length; index++) {
      const byte = piece[index]!
      if (this.#state === outside && startsNumber[byte] === 0) {
        const excess = this.#atOutside(byte, this.#offset + index)
        if (excess) return excess
      } else if (this.#state === inString) index = this.#readString(piece, index)
      else if (this.#state === inEscape) this.#state = inString
      else index = this.#readNumber(piece, index)
    }
    this.#offset += piece.length
    return undefined
  }

  #atOutside(byte: number, offset: number): Excess | undefined {
    if (byte === quote) {
      this.#state = inString
      this.#stringStart = offset
    } else if (byte === comma) return this.#next()
    else if (byte === colon) this.#memberNames[this.#depth] = this.#string
    else if (byte === openList || byte === openObject) return this.#open(byte === openList)
    else if (byte === closeList || byte === closeObject) this.#depth = Math.max(0, this.#depth - 1)
    return undefined
  }

  #open(isList: boolean): Excess | undefined {
    if (this.#depth === maxDepth) return this.#excess(tooDeep)
    this.#depth += 1
    this.#sizes[this.#depth] = 1
    this.#isList[this.#depth] = Number(isList)
    if (this.#depth <= shallowLevels) this.#shallow += 1
    return undefined
  }

  #next(): Excess | undefined {
    this.#sizes[this.#depth]! += 1
    if (this.#depth <= shallowLevels) this.#shallow += 1
    const isTooMuch = this.#sizes[this.#depth]! > maxValues || this.#shallow > maxValues
    return isTooMuch ? this.#excess('has too many values') : undefined
  }

  #excess(detail: string): Excess {
    const levels = Math.min(this.#depth - 1, shallowLevels)
    const path = Array.from({ length: levels }, (_, above): ByteSpan | number => {
      const level = above + 1
      return this.#isList[level] ? this.#sizes[level]! - 1 : (this.#memberNames[level] ?? [0, 0])
    })
    return { path, detail }
  }

  #readString(piece: Buffer, start: number): number {
    let end = start
    while (end < piece.length && piece[end] !== quote && piece[end] !== backslash) end += 1
    if (piece[end] === backslash) this.#state = inEscape
    if (piece[end] === quote) {
      if (this.#depth <= shallowLevels) this.#string = [this.#stringStart, this.#offset + end + 1]
      this.#state = outside
    }
    return end
  }

  #readNumber(piece: Buffer, start: number): number {
    let end = start
    while (end < piece.length && continuesNumber[piece[end]!] === 1) end += 1
    const isWhole = end < piece.length
    if (!isWhole || this.#number !== '' || end - start >= minChangedLength) {
      this.#number += piece.toString('latin1', start, end)
    }
    if (isWhole) this.#endNumber(this.#offset + end)
    this.#state = isWhole ? outside : inNumber
    return end - 1
  }

  #endNumber(offset: number): void {
    if (this.#number === '') return
    if (!isRoundTripped(this.#number)) {
      this.changedNumbers.push([offset - this.#number.length, offset])
    }
    this.#number = ''
  }
}

const outside = 0
const inString = 1
const inNumber = 2
const inEscape = 3
type State = 0 | 1 | 2 | 3

const [quote, backslash, comma, colon, openList, closeList, openObject, closeObject] =
  Buffer.from('"\\,:[]{}')

const tableOf = (characters: string): Uint8Array => {
  const table = new Uint8Array(256)
  for (const byte of Buffer.from(characters)) table[byte] = 1
  return table
}
const startsNumber = tableOf('-0123456789')
const continuesNumber = tableOf('+-.0123456789eE')

/** The length of the shortest number that is read as infinite, `9e308`. */
const minChangedLength = 5

/** Whether a JSON number comes back as sent: an integer with all its digits, a fraction not as zero. */
function isRoundTripped(literal: string): boolean {
  const value = Number(literal)
  const isShort = literal.length <= maxSafeDigits
  if (isShort && value !== 0 && Number.isFinite(value)) return true
  if (!jsonNumber.test(literal)) return true
  if (!Number.isFinite(value)) return false
  const sent = toTrimmedDecimal(literal)
  if (value === 0) return sent.digits === ''
  if (sent.exponent < 0) return true
  const read = toTrimmedDecimal(String(value))
  return sent.digits === read.digits && sent.exponent === read.exponent
}

const maxSafeDigits = 15

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

function toTrimmedDecimal(literal: string): { digits: string; exponent: number } {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const all = whole + fraction
  // A pattern such as /0+$/ takes the square of a run of zeros.
  let end = all.length
  while (all[end - 1] === '0') end -= 1
  const digits = all.slice(0, end).replace(/^0+/, '')
  return { digits, exponent: Number(exponent) - fraction.length + all.length - end }
}
