import { Client, type Dispatcher, Pool } from 'undici'
import { pacedLoad, type PacedReport, type Rhythm } from './paced-load.ts'
import { type Ask, type LoadReport, type Outcome, type Pace, timedLoad } from './timed-load.ts'

/** What is sent where: each body as it stands, one after the other and then from the first again. */
export type Target = {
  url: string
  path: string
  headers: Record<string, string>
  bodies: string[]
  /** Whether 503 with `Retry-After` is a refusal to be waited out; else it is a failure. */
  honoursRetryAfter?: boolean
}

export type LoadJob = Target & Pace & { clients: number }

const answerMilliseconds = 60_000

/** The load of so many clients on a server, each on a connection of its own. */
export async function httpLoad(
  { clients, ...target }: LoadJob,
  wait?: (milliseconds: number) => Promise<void>,
): Promise<LoadReport> {
  const connections = Array.from({ length: clients }, () => new Client(target.url, timeouts))
  try {
    return await timedLoad(target, connections.map(askerOf(target)), wait)
  } finally {
    await Promise.all(connections.map((connection) => connection.destroy()))
  }
}

export type PacedJob = Target & Rhythm

/** Load by the clock on a server, on as many connections as it takes. */
export async function pacedHttpLoad(job: PacedJob): Promise<PacedReport> {
  const connections = new Pool(job.url, timeouts)
  try {
    return await pacedLoad(job, askerOf(job)(connections))
  } finally {
    await connections.destroy()
  }
}

const timeouts = { headersTimeout: answerMilliseconds, bodyTimeout: answerMilliseconds }

const askerOf =
  ({ path, headers, bodies, honoursRetryAfter = false }: Target) =>
  (connection: Pick<Dispatcher, 'request'>): Ask =>
  async (question) => {
    try {
      const body = bodies[question % bodies.length]!
      const answer = await connection.request({ method: 'POST', path, headers, body })
      const text = await answer.body.text()
      const retryAfter = Number(answer.headers['retry-after'] ?? NaN)
      if (answer.statusCode === 200) return answered
      if (honoursRetryAfter && answer.statusCode === 503 && retryAfter >= 0) {
        return { kind: 'refusal', retryAfter }
      }
      return { kind: 'failure', what: `${answer.statusCode} ${text.slice(0, 300)}` }
    } catch (error) {
      return { kind: 'failure', what: String(error) }
    }
  }

const answered: Outcome = { kind: 'answer' }
