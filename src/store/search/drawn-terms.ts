import { fmix32 } from '../../text/token-hash.ts'
import { unspaced } from '../../text/words.ts'

const draws = 24
const termsOfDraw = 4

/** A word of three letters or more, or a pair of those that are written without spaces. */
const drawable = new RegExp(`^(?:[${unspaced}]{2}|[\\p{L}--[${unspaced}]]{3,40})$`, 'v')

const utf8 = new TextDecoder()

/**
 * Draws terms that have nothing to do with each other: those of a draw are of fragments far apart. The same
 * rows give the same draws, and fewer rows than terms give none.
 * @param rows the tokens of each, as UTF-8 with blanks between
 */
export function drawTerms(rows: readonly Uint8Array[]): string[][] {
  const step = Math.floor(rows.length / termsOfDraw)
  if (step === 0) return []
  return Array.from({ length: draws }, (_, draw) =>
    Array.from({ length: termsOfDraw }, (_one, place) => {
      const seed = draw * termsOfDraw + place + 1
      const row = (chanceOf(draw + 1) + place * step) % rows.length
      return termOf(rows[row]!, seed)
    }).filter((term) => term !== undefined),
  )
}

function termOf(row: Uint8Array, seed: number): string | undefined {
  const terms = utf8
    .decode(row)
    .split(' ')
    .filter((token) => drawable.test(token))
  return terms[chanceOf(seed) % terms.length]
}

const chanceOf = (seed: number): number => fmix32(seed) >>> 0
