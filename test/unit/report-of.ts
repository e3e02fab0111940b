import type { LoadReport } from '../bench/timed-load.ts'

/** What a load reports that gave so many answers a second and had so many failures. */
export const reportOf = (rate: number, failed = 0): LoadReport => ({
  rate,
  p50: 1,
  p95: 2,
  p99: 3,
  max: 4,
  worst: 3,
  failures: { count: failed, first: failed > 0 ? '500' : undefined },
  refusals: { count: 0, p50: NaN, p99: NaN, max: NaN, back: 0, again: 0 },
})
