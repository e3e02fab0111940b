import { readFileSync } from 'node:fs'
import type { Figure } from './figures.ts'

/** In hundredths of a second of all processors, since the system began. */
type Ticks = { busy: number; stolen: number }

/** How much of the time in which this machine wanted its processors others on the same host had them. */
export class StolenTime {
  #before = ticksNow()

  /** As a share since this was last asked; NaN where the system does not tell. */
  takeFigure(): Figure {
    const [before, now] = [this.#before, ticksNow()]
    this.#before = now
    const stolen = now.stolen - before.stolen
    const value = stolen / (stolen + now.busy - before.busy)
    return { name: "share of the processors' time that others had", value, digits: 2 }
  }
}

function ticksNow(): Ticks {
  try {
    return ticksIn(readFileSync('/proc/stat', 'utf8'))
  } catch {
    return { busy: NaN, stolen: NaN }
  }
}

/** Those in what Linux tells of its processors. */
export function ticksIn(status: string): Ticks {
  const fields = /^cpu +(.*)$/m.exec(status)?.[1]?.split(' ').map(Number) ?? []
  const [user = NaN, nice = NaN, system = NaN, , , hard = NaN, soft = NaN, stolen = NaN] = fields
  return { busy: user + nice + system + hard + soft, stolen }
}
