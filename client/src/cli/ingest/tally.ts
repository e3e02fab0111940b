import { counted, duration, grouped } from '../output/numbers.ts'
import type { Outcome } from './outcome.ts'

type Kind = Outcome['kind']

/** What became of all files. */
export class Tally {
  readonly #counts = new Map<Kind, number>()
  readonly #named: Outcome[] = []
  readonly #began = Date.now()

  add(outcome: Outcome): void {
    this.#counts.set(outcome.kind, this.count(outcome.kind) + 1)
    if (outcome.kind !== 'unchanged') this.#named.push(outcome)
  }

  count(kind: Kind): number {
    return this.#counts.get(kind) ?? 0
  }

  /** One line for people. */
  summary(): string {
    const files = [...this.#counts].reduce((sum, [, count]) => sum + count, 0)
    const { unchanged = 0, ...others } = Object.fromEntries(this.#counts)
    const parts = Object.entries(others).map(([kind, count]) => `${grouped(count)} ${kind}`)
    if (parts.length === 0) return `Nothing has changed: ${counted(unchanged, 'file')}.`
    const seconds = (Date.now() - this.#began) / 1000
    const rate = grouped(Math.round(files / Math.max(seconds, 0.001)))
    const all = [...parts, `${grouped(unchanged)} unchanged`].join(', ')
    return `${all} in ${duration(seconds)} (${rate} files a second).`
  }

  /** The same for programs: how many of each kind, and each file that is not as it was. */
  toJSON(): object {
    const kinds: Kind[] = ['new', 'changed', 'unchanged', 'deleted', 'ignored', 'failed']
    return {
      ...Object.fromEntries(kinds.map((kind) => [kind, this.count(kind)])),
      files: this.#named,
    }
  }
}
