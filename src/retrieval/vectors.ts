import { normalized } from '../store/store.ts'
import type { Found } from '../store/types.ts'

export function cosinesOf(found: Found[], vector: Float32Array): number[] {
  const direction = normalized(vector)
  return found.map((one) => dot(one.vector, direction))
}

/** Four sums side by side are faster than one, in which each step waits for the last. */
export function dot(a: Float32Array, b: Float32Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0]
  const whole = a.length & ~3
  for (let index = 0; index < whole; index += 4) {
    first += a[index]! * b[index]!
    second += a[index + 1]! * b[index + 1]!
    third += a[index + 2]! * b[index + 2]!
    fourth += a[index + 3]! * b[index + 3]!
  }
  for (let index = whole; index < a.length; index++) first += a[index]! * b[index]!
  return first + second + third + fourth
}
