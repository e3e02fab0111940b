import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '../config/config.ts'
import { stderrLines } from './log-lines.ts'

export type Log = Logger

/** @param server named in each line, where there may be several */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = stderrLines(),
  server?: string,
): Log {
  const base = server === undefined ? null : { server }
  return pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}

export async function readableLines(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({ destination: 2, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' })
}
