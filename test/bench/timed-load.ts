import { setTimeout } from 'node:timers/promises'
import { percentile } from './rounds.ts'
import { worstStretch } from './worst-stretch.ts'

/** How a question ended: answered, refused with the seconds to wait, or neither, which says what came. */
export type Outcome =
  | { kind: 'answer' }
  | { kind: 'refusal'; retryAfter: number }
  | { kind: 'failure'; what: string }

/** Asks the question of that number, which may be any: whoever asks has a list to take it from. */
export type Ask = (question: number) => Promise<Outcome>

/** `warmUp` are the seconds before the ones that count. */
export type Pace = { seconds: number; warmUp: number }

/** `rate` is answers a second; all other figures are milliseconds, NaN where nothing was measured. */
export type LoadReport = {
  rate: number
  p50: number
  p95: number
  p99: number
  max: number
  /** The highest p99 of five seconds on end. */
  worst: number
  failures: { count: number; first: string | undefined }
  /** Of those that came back as they were told, `again` were refused once more. */
  refusals: { count: number; p50: number; p99: number; max: number; back: number; again: number }
}

/**
 * Lets each caller ask one question after the other for as long as the pace says; all take the next
 * from one list. What is refused is asked again after the wait that was told. An answer counts by the
 * part of its time that is within the seconds: those that fall on their edges would else be all or
 * nothing, and many slow ones fall there together. Failures count whenever they come.
 */
export async function timedLoad(
  { seconds, warmUp }: Pace,
  callers: Ask[],
  wait: (milliseconds: number) => Promise<void> = setTimeout,
): Promise<LoadReport> {
  const begin = performance.now() + warmUp * 1000
  const end = begin + seconds * 1000
  const times = { answer: [] as number[], refusal: [] as number[] }
  const ends: number[] = []
  let answers = 0
  const returns = { back: 0, again: 0 }
  const failures: string[] = []
  let next = 0

  const askOnce = async (ask: Ask, question: number): Promise<Outcome> => {
    const began = performance.now()
    const outcome = await ask(question)
    const ended = performance.now()
    const within = Math.min(ended, end) - Math.max(began, begin)
    if (outcome.kind === 'failure') failures.push(outcome.what)
    else if (within > 0) {
      times[outcome.kind].push(ended - began)
      if (outcome.kind === 'answer') {
        answers += within / (ended - began)
        ends.push(ended)
      }
    }
    return outcome
  }
  const call = async (ask: Ask) => {
    let question = next++
    let isBack = false
    for (let now = performance.now(); now < end; now = performance.now()) {
      const outcome = await askOnce(ask, question)
      if (isBack) returns.back += 1
      if (isBack && outcome.kind === 'refusal') returns.again += 1
      isBack = outcome.kind === 'refusal'
      if (outcome.kind !== 'refusal') question = next++
      else {
        const left = Math.max(0, end - performance.now())
        const told = outcome.retryAfter * 1000
        await wait(Math.min(told, left))
        // A timer may end early, and all who wait to the end together would come before they were told to.
        if (told >= left) return
      }
    }
  }
  await Promise.all(callers.map(call))

  const { answer, refusal } = times
  return {
    rate: answers / seconds,
    ...figuresOf(answer),
    worst: worstStretch(answer, ends),
    failures: { count: failures.length, first: failures[0] },
    refusals: { count: refusal.length, ...figuresOf(refusal), ...returns },
  }
}

export const figuresOf = (times: number[]) => ({
  p50: percentile(times, 0.5),
  p95: percentile(times, 0.95),
  p99: percentile(times, 0.99),
  max: percentile(times, 1),
})
