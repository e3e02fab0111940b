import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '../config.ts'

export type Log = Logger

export const createLog = (level: LogLevel, destination = jsonLines()): Log =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)

/** Synchronous, so that no line is lost at the end. */
const jsonLines = (): DestinationStream => pino.destination({ dest: 2, sync: true })

export async function readableLines(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({ destination: 2, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' })
}
