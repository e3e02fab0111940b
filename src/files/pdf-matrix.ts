/** `[a b c d e f]`, as in PDF (ISO 32000-1, 8.3.4). */
export type Matrix = [number, number, number, number, number, number]

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

export const multiplied = (outer: Matrix, inner: Matrix): Matrix => [
  outer[0] * inner[0] + outer[2] * inner[1],
  outer[1] * inner[0] + outer[3] * inner[1],
  outer[0] * inner[2] + outer[2] * inner[3],
  outer[1] * inner[2] + outer[3] * inner[3],
  outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
  outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
]

export const moved = (matrix: Matrix, x: number, y: number): Matrix =>
  multiplied(matrix, [1, 0, 0, 1, x, y])

export const toMatrix = (numbers: ArrayLike<number> | undefined): Matrix =>
  numbers
    ? [numbers[0]!, numbers[1]!, numbers[2]!, numbers[3]!, numbers[4]!, numbers[5]!]
    : identity
