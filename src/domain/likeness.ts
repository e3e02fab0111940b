import type { Direction } from '../direction.ts'

/** How many of the best speak for others, and by which power of their values. */
const speakers = 8
const power = 4

/**
 * How like each of some unit vectors is to the best of the others, -1 to 1. They stand best first,
 * with what makes them so in `values`, 0 to 1. Each is left out of what it is compared with, or the
 * best would be like themselves.
 */
export function agreement(directions: Direction[], values: number[]): number[] {
  const weights = values.map((value, index) => (index < speakers ? value ** power : 0))
  const all = weights.reduce((total, weight) => total + weight, 0)
  const centre = new Float32Array(directions[0]?.length ?? 0)
  for (const [index, direction] of directions.slice(0, speakers).entries()) {
    direction.addTo(centre, weights[index]!)
  }
  return directions.map((direction, index) => {
    const others = all - weights[index]!
    return others === 0 ? 0 : (direction.partOf(centre) - weights[index]!) / others
  })
}
