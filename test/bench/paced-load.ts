import { setTimeout } from 'node:timers/promises'
import { type Ask, figuresOf, type LoadReport } from './timed-load.ts'

export type Rhythm = { seconds: number; perSecond: number }

export type PacedReport = Omit<LoadReport, 'worst' | 'refusals'>

/**
 * Asks so many times a second by the clock, whether or not what went before is answered, as writers
 * do who know nothing of each other. Times count from when it was due, so that no wait is left out.
 */
export async function pacedLoad(
  { seconds, perSecond }: Rhythm,
  ask: Ask,
  wait: (milliseconds: number) => Promise<void> = setTimeout,
): Promise<PacedReport> {
  const began = performance.now()
  const times: number[] = []
  const failures: string[] = []
  const askAt = async (question: number) => {
    const due = began + (question * 1000) / perSecond
    await wait(Math.max(0, due - performance.now()))
    const outcome = await ask(question)
    if (outcome.kind === 'answer') times.push(performance.now() - due)
    else failures.push(outcome.kind === 'failure' ? outcome.what : 'refused')
  }
  await Promise.all(Array.from({ length: Math.round(seconds * perSecond) }, (_, n) => askAt(n)))
  // Who falls behind takes longer than that.
  const took = Math.max(seconds, (performance.now() - began) / 1000)
  return {
    rate: times.length / took,
    ...figuresOf(times),
    failures: { count: failures.length, first: failures[0] },
  }
}
