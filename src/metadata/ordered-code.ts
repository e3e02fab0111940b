import type { Instant } from './instant.ts'

/** Digits whose order as text is the order of the values. All codes of a radix have the same length. */
export type Code = { digits: string; radix: 10 | 16 }

const bits = new DataView(new ArrayBuffer(8))

export function codeOfNumber(value: number): Code {
  bits.setFloat64(0, value === 0 ? 0 : value)
  const raw = bits.getBigUint64(0)
  const ordered = raw >> 63n === 1n ? BigInt.asUintN(64, ~raw) : raw | (1n << 63n)
  return { digits: ordered.toString(16).padStart(16, '0'), radix: 16 }
}

/** The number of digits of its code without trailing zeros, or more if it is below 0. */
export function lengthOfNumber(value: number): number {
  bits.setFloat64(0, value)
  const [high, low] = [bits.getUint32(0), bits.getUint32(4)]
  if (value < 0) return 16
  return low === 0 ? 8 - zerosAtEnd(high) : 16 - zerosAtEnd(low)
}

const zerosAtEnd = (half: number): number =>
  half === 0 ? 7 : Math.floor((31 - Math.clz32(half & -half)) / 4)

/** Day, hour, minute, second and microsecond, so that common times end in zeros. */
export function codeOfInstant({ day, microsecond }: Instant): Code {
  const second = microsecond / 1_000_000n
  const parts: [bigint, number][] = [
    [BigInt(day), 7],
    [second / 3_600n, 2],
    [(second / 60n) % 60n, 2],
    [second % 60n, 2],
    [microsecond % 1_000_000n, 6],
  ]
  const digits = parts.map(([part, length]) => String(part).padStart(length, '0')).join('')
  return { digits, radix: 10 }
}

/** The next code up or down. Undefined past the last one. */
export function neighbour({ digits, radix }: Code, step: 1n | -1n): Code | undefined {
  const value = BigInt(radix === 16 ? `0x${digits}` : digits) + step
  const next = value < 0n ? '' : value.toString(radix).padStart(digits.length, '0')
  return next.length === digits.length ? { digits: next, radix } : undefined
}

export const endsOf = ({ digits, radix }: Code): { least: Code; greatest: Code } => ({
  least: { digits: '0'.repeat(digits.length), radix },
  greatest: { digits: (radix === 16 ? 'f' : '9').repeat(digits.length), radix },
})
