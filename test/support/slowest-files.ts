import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { root } from './contract.ts'

const shown = 10

/** Prints the slowest test files of a run with several, and the seconds of all. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < 2) return
    const files = modules
      .map((module) => ({ name: relative(root, module.moduleId), seconds: secondsOf(module) }))
      .toSorted((a, b) => b.seconds - a.seconds)
    const total = files.reduce((sum, { seconds }) => sum + seconds, 0)
    const lines = files.slice(0, shown).map(({ name, seconds }) => `${toText(seconds)}  ${name}`)
    console.log(['', ' Slowest files', ...lines, `${toText(total)}  all files`, ''].join('\n'))
  }
}

/** Of its imports, which start its servers, and of its tests. */
function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  return (collectDuration + setupDuration + duration) / 1000
}

const toText = (seconds: number): string => `${seconds.toFixed(1)} s`.padStart(9)
