import autocannon, { type Request } from 'autocannon'
import { setTimeout } from 'node:timers/promises'
import { Pool } from 'undici'
import { percentile } from './metrics.ts'

/** How long a load lasts: `warmUp` are the seconds before the ones that count. */
export type Pace = { seconds: number; warmUp: number }

type Headers = Record<string, string>
type Sent = { body: string; path?: string; headers?: Headers }

/** Where requests go, and the next of them whenever one is due. */
export type Target = {
  url: string
  path: string
  method?: 'PUT'
  headers: Headers
  next: () => Sent
}

type Figure = 'rate' | 'p50' | 'p95' | 'p99' | 'max'

/** Successes a second and their milliseconds, and the milliseconds of every outcome by its status. */
export type Load = Record<Figure, number> & { outcomes: Map<string, number[]> }

/** The bodies one after the other, and then from the first again. */
export function inTurn(bodies: string[]): Target['next'] {
  let sent = 0
  return () => ({ body: bodies[sent++ % bodies.length]! })
}

/** The load generator looks this often whether its time is over. */
const sampleInt = 100

/** Each client, on its own connection, sends the next request when the last is answered. */
export async function httpLoad(target: Target, clients: number, pace: Pace): Promise<Load> {
  const { url, path, method = 'POST', headers, next } = target
  const setupRequest = (request: Request): Request => {
    const sent = next()
    return { ...request, ...sent, headers: { ...headers, ...sent.headers } }
  }
  // Each request is made when it is due, because every client would hold a copy of a list.
  const requests: Request[] = [{ method, path, setupRequest }]
  const duration = pace.warmUp + pace.seconds
  const outcomes = new Outcomes(pace)
  await new Promise((resolve, reject) => {
    const load = autocannon(
      { url, connections: clients, duration, timeout: 60, sampleInt, requests },
      (error, result) => (error ? reject(error) : resolve(result)),
    )
    load.on('response', (_, status, _bytes, milliseconds) => outcomes.add(status, milliseconds))
    load.on('reqError', (error) => outcomes.add(String(error), NaN))
  })
  return outcomes.load()
}

/**
 * Each caller calls again when its last call is done. Given a rate, they begin so many calls a second by
 * the clock together, and times count from when a call was due, so that no wait is left out.
 */
export async function callLoad(
  call: () => Promise<unknown>,
  callers: number,
  pace: Pace,
  perSecond?: number,
): Promise<Load> {
  const outcomes = new Outcomes(pace)
  const began = performance.now()
  let calls = 0
  const callAgain = async () => {
    while (outcomes.left > 0) {
      const now = performance.now()
      const due = perSecond ? began + (calls++ * 1000) / perSecond : now
      if (due - now > outcomes.left) return
      if (due > now) await setTimeout(due - now)
      const status = await call().then(() => 200, String)
      outcomes.add(status, performance.now() - due)
    }
  }
  await Promise.all(Array.from({ length: callers }, callAgain))
  return outcomes.load()
}

/**
 * Clients as far more than a server can answer are to be: each on its own connection, refused ones come
 * back when `Retry-After` says.
 */
export async function patientLoad(target: Target, clients: number, pace: Pace): Promise<Load> {
  const { url, path, next } = target
  const outcomes = new Outcomes(pace)
  const pool = new Pool(url, { connections: clients })
  const ask = async (): Promise<{ status: number | string; retryAfter: number }> => {
    const { statusCode, headers, body } = await pool.request({
      method: 'POST',
      path,
      headers: target.headers,
      body: next().body,
    })
    await body.text()
    return { status: statusCode, retryAfter: Number(headers['retry-after'] ?? 0) }
  }
  // A connection that breaks is one outcome of many, and its client returns.
  const broken = (error: unknown) => ({ status: String(error), retryAfter: 1 })
  const askAgain = async () => {
    while (outcomes.left > 0) {
      const began = performance.now()
      const { status, retryAfter } = await ask().catch(broken)
      outcomes.add(status, performance.now() - began)
      const wait = retryAfter * 1000
      if (wait > 0) await setTimeout(Math.max(1, Math.min(wait, outcomes.left)))
    }
  }
  await Promise.all(Array.from({ length: clients }, askAgain))
  await pool.destroy()
  return outcomes.load()
}

/** What ended within the seconds that count. */
class Outcomes {
  readonly #seconds: number
  readonly #end: number
  readonly #times = new Map<string, number[]>()

  constructor({ seconds, warmUp }: Pace) {
    this.#seconds = seconds
    this.#end = performance.now() + (warmUp + seconds) * 1000
  }

  get left(): number {
    return this.#end - performance.now()
  }

  add(status: number | string, milliseconds: number): void {
    if (this.left < 0 || this.left > this.#seconds * 1000) return
    const times = this.#times.get(String(status)) ?? []
    this.#times.set(String(status), times)
    times.push(milliseconds)
  }

  load(): Load {
    const times = [...this.#times].flatMap(([status, some]) => (isSuccess(status) ? some : []))
    const at = (share: number) => percentile(times, share)
    const shares = { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
    return { rate: times.length / this.#seconds, ...shares, outcomes: this.#times }
  }
}

const isSuccess = (status: string): boolean => /^2\d\d$/.test(status)

export const failuresOf = ({ outcomes }: Load): number =>
  [...outcomes].reduce((sum, [status, { length }]) => sum + (isSuccess(status) ? 0 : length), 0)
