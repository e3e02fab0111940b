import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** What a server counts since its start. No label holds anything a caller wrote. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer, in seconds.',
    labelNames: ['operation', 'status'],
    buckets,
    registers: [this.#registry],
  })
  readonly contentType = this.#registry.contentType

  /** @param server its name, where there may be several */
  constructor(server?: string) {
    if (server === undefined) return
    const info: Gauge<'server'> = new Gauge({
      name: 'server_info',
      help: 'Which of the servers of a store this is; always 1.',
      labelNames: ['server'],
      registers: [this.#registry],
    })
    info.set({ server }, 1)
  }

  countRequest(operation: string | undefined, status: number | undefined, seconds: number): void {
    this.#durations.observe({ operation: operation ?? 'none', status: status ?? 'none' }, seconds)
  }

  collectInFlight(count: () => Record<string, number>): void {
    const gauge: Gauge<'kind'> = new Gauge({
      name: 'http_requests_in_flight',
      help: 'Requests in hand, of the kinds that are refused when there are too many.',
      labelNames: ['kind'],
      registers: [this.#registry],
      collect: () => {
        for (const [kind, requests] of Object.entries(count())) gauge.set({ kind }, requests)
      },
    })
  }

  /** To be called once in a process, because prom-client's observers never end. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.#registry })
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }
}
