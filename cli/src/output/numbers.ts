/** 1234567 → "1,234,567" */
export const grouped = (count: number): string => count.toLocaleString('en')

/** 1, "file" → "1 file"; 2 → "2 files" */
export const counted = (count: number, unit: string): string =>
  `${grouped(count)} ${unit}${count === 1 ? '' : 's'}`

/** Seconds → "4 s", "2 min 5 s", "1 h 10 min" */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
