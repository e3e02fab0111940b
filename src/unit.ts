/** The vector brought to length 1, so that the product of two is their cosine. */
export function unit(vector: Float32Array): Float32Array {
  const scale = 1 / Math.sqrt(product(vector, vector))
  const result = new Float32Array(vector.length)
  for (let index = 0; index < result.length; index++) result[index] = vector[index]! * scale
  return result
}

export function product(a: Float32Array, b: Float32Array): number {
  let total = 0
  for (let index = 0; index < a.length; index++) total += a[index]! * b[index]!
  return total
}
