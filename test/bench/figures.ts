/** What was measured, and what it is to be at most or at least. */
export type Figure = {
  name: string
  value: number
  digits?: number
  atMost?: number
  atLeast?: number
}

/** A row for each, with the bound, and `no` where it does not hold; nothing is said of what is NaN. */
export const figureRows = (figures: Figure[]): string[][] =>
  figures.map((figure) => {
    const { name, value, digits = 1, atMost, atLeast } = figure
    const bound = [atMost, atLeast].find((limit) => limit !== undefined)
    const sign = atMost === undefined ? '>=' : '<='
    return [
      name,
      Number.isNaN(value) ? '-' : value.toFixed(digits),
      bound === undefined ? '' : `${sign} ${bound}`,
      isWithin(figure) ? '' : 'no',
    ]
  })

const isWithin = ({ value, atMost = Infinity, atLeast = -Infinity }: Figure): boolean =>
  Number.isNaN(value) || (value <= atMost && value >= atLeast)
