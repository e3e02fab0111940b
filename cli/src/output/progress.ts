import progressBars from 'cli-progress'
import type { Options, Params } from 'cli-progress'
import { counted, duration, grouped } from './numbers.ts'
import { harmless } from './harmless.ts'
import { note } from './print.ts'

/** How far a command is: a bar on a terminal, nothing where standard error goes elsewhere. */
export type Progress = {
  advance(): void
  /** Says something above the bar. */
  note(line: string): void
  finish(): void
}

/** `total` is undefined where nobody knows it. `unit` is one thing of those that are counted, such as `file`. */
export function startProgress(total: number | undefined, unit: string): Progress {
  if (!process.stderr.isTTY) return { advance: () => undefined, note, finish: () => undefined }
  const bars = new progressBars.MultiBar({
    stream: process.stderr,
    format: (options, params) => line(options, params, total, unit),
    clearOnComplete: true,
    linewrap: true,
    // Signals are the commands' own: they still say what was done.
    gracefulExit: false,
    etaBuffer: 500,
    barsize: 24,
  })
  const bar = bars.create(total ?? 0, 0)
  return {
    advance: () => bar.increment(),
    note: (text) => bars.log(`${harmless(text)}\n`),
    finish: () => {
      bars.update()
      bars.stop()
    },
  }
}

function line(options: Options, params: Params, total: number | undefined, unit: string): string {
  const { value, startTime, eta, progress } = params
  const rate = `${grouped(Math.round((value * 1000) / (Date.now() - startTime + 1)))}/s`
  if (total === undefined) return `${counted(value, unit)} · ${rate}`
  const left = Number.isFinite(eta) ? ` · ${duration(eta)} left` : ''
  const bar = progressBars.Format.BarFormat(progress, options)
  return `${bar} ${grouped(value)} of ${counted(total, unit)} · ${rate}${left}`
}
