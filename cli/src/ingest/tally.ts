import { counted, duration, grouped } from '../output/numbers.ts'
import type { Outcome } from './outcome.ts'

type Kind = Outcome['kind']

const kinds: Kind[] = ['new', 'changed', 'deleted', 'unchanged', 'ignored', 'failed']

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

  #total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }

  /** One line for people, of a run that went to its end or of one that did not, or of one that only looked. */
  summary({ isWhole, dryRun }: { isWhole: boolean; dryRun: boolean }): string {
    const ignored = this.count('ignored')
    const unchanged = this.count('unchanged')
    if (isWhole && this.#total() === ignored + unchanged) {
      const rest = ignored > 0 ? `, and ${grouped(ignored)} ignored` : ''
      return `Nothing has changed: ${counted(unchanged, 'file')}${rest}.`
    }
    if (this.#total() === 0) return 'Nothing was done.'
    const parts = kinds.filter((kind) => this.count(kind) > 0)
    const all = parts.map((kind) => `${grouped(this.count(kind))} ${kind}`).join(', ')
    if (dryRun) return `It would be ${all}, unless the service finds no text; nothing was done.`
    const seconds = (Date.now() - this.#began) / 1000
    const rate = grouped(Math.round(this.#total() / Math.max(seconds, 0.001)))
    const done = `${all} in ${duration(seconds)} (${rate} files a second).`
    return isWhole ? done : `${done} Run it again to go on.`
  }

  /** The same for programs: how many of each kind, and each file that is not as it was. */
  toJSON(): object {
    return {
      ...Object.fromEntries(kinds.map((kind) => [kind, this.count(kind)])),
      files: this.#named,
    }
  }
}
