/**
 * Loaded into a server before all else: its timers run ten times as fast, and at its end it says how
 * long the longest of those was that ran out after it was told to stop.
 */
const pace = 10
const real = globalThis.setTimeout
let longest = 0

const quick = (run: (...args: unknown[]) => void, wait = 0, ...args: unknown[]) =>
  real(() => {
    longest = Math.max(longest, wait)
    run(...args)
  }, wait / pace)

globalThis.setTimeout = Object.assign(quick, real)
process.once('SIGTERM', () => (longest = 0))
process.once('exit', () => process.stderr.write(`Waited ${Math.ceil(longest)} ms.\n`))
