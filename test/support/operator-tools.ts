import { spawnSync } from 'node:child_process'

/**
 * Whether a program of operators is here. Without it its tests do not run, but in CI, which installs it.
 * @throws in CI, if it is missing
 */
export function hasTool(name: string): boolean {
  const isHere = spawnSync('sh', ['-c', `command -v ${name}`]).status === 0
  if (!isHere && process.env.CI) throw new Error(`${name} is missing, and .ci/run installs it.`)
  if (!isHere) console.warn(`There is no ${name} here: its tests do not run.`)
  return isHere
}
