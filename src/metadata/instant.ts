const rfc3339 =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d)))?$/

const microsecondsADay = 86_400_000_000n
/** The day before the year 0, because an offset may lead there. */
const firstDay = BigInt(Date.UTC(-1, 11, 31)) / 86_400_000n

/** An RFC 3339 date or date-time: whole days, and microseconds of the last one in UTC. */
export type Instant = { day: number; microsecond: bigint }

/** Undefined if the text is neither. A date is its midnight in UTC, a leap second the second after it. */
export function parseInstant(text: string): Instant | undefined {
  const match = rfc3339.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = match
  const [sign, offsetHour = '0', offsetMinute = '0'] = match.slice(8)
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCMonth() !== Number(month) - 1) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined
  const offset = (sign === '-' ? -60 : 60) * (Number(offsetHour) * 60 + Number(offsetMinute))
  const ofDay = Number(hour) * 3_600 + Number(minute) * 60 - offset
  // Seconds are only inserted at the end of a day in UTC.
  if (Number(second) === 60 && (ofDay + 86_400) % 86_400 !== 86_340) return undefined
  const seconds = BigInt(date.getTime() / 1_000 + ofDay + Number(second))
  const whole = seconds * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'))
  return splitAt(whole - firstDay * microsecondsADay)
}

const splitAt = (microseconds: bigint): Instant => ({
  day: Number(microseconds / microsecondsADay),
  microsecond: microseconds % microsecondsADay,
})
