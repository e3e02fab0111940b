import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '../config.ts'

export type Log = Logger

/** Written synchronously, so that no line is lost at the end; stdout is for whoever starts the server. */
export const createLog = (level: LogLevel, destination = jsonLines()): Log =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)

const jsonLines = (): DestinationStream => pino.destination({ dest: 2, sync: true })

/** For a terminal; only loaded there. */
export async function readableLines(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({ destination: 2, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' })
}
