import { CallFailed, malformed } from '../provider/failure.ts'

/** As many as EMBEDDING_DIMENSIONS may ask for. */
const maxDimensions = 16_384
const maxBytesOfNumber = 40
const maxBytesBesides = 64 * 1024

export const noEmbeddings = 'gave no embeddings'

/** The vectors of an answer in the order of the inputs; too long an answer is not read. @throws CallFailed */
export async function readVectors(
  response: Response,
  count: number,
  dimensions: number | undefined,
): Promise<Float32Array[]> {
  const answer = parse(await readBounded(response, count, dimensions ?? maxDimensions))
  const vectors: Float32Array[] = []
  for (const [position, item] of listIn(answer).entries()) {
    const { embedding } = item
    // Gemini leaves out an index of 0.
    const index = item.index ?? position
    const isNew = isIndex(index, count) && !vectors[index]
    if (!isNew || !isNumbers(embedding)) throw malformed(noEmbeddings)
    vectors[index] = Float32Array.from(embedding)
  }
  const given = vectors.filter(Boolean).length
  if (given !== count) throw malformed(`gave ${given} embeddings for ${count} texts`)
  return vectors
}

async function readBounded(
  { body }: Response,
  count: number,
  dimensions: number,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let left = maxBytesBesides + count * dimensions * maxBytesOfNumber
  try {
    for await (const piece of body ?? []) {
      left -= piece.byteLength
      if (left < 0) throw malformed('gave too long an answer')
      pieces.push(piece)
    }
  } catch (cause) {
    if (cause instanceof CallFailed) throw cause
    throw new CallFailed('unreachable', 'broke off its answer', { cause })
  }
  return Buffer.concat(pieces)
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (cause) {
    throw malformed(noEmbeddings, { cause })
  }
}

type Item = { index?: unknown; embedding?: unknown }

function listIn(answer: unknown): Item[] {
  const { data } = (typeof answer === 'object' && answer ? answer : {}) as { data?: unknown }
  return Array.isArray(data) ? data.map((item: Item | null) => item ?? {}) : []
}

const isIndex = (value: unknown, count: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'number')
