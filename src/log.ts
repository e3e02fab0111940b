import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from './config.ts'

export type Log = Logger

/**
 * JSON lines on stderr, or where `lines` brings them; stdout is for what a person starting the server
 * wants to read. Each line is written before the next one begins, so that they are in order to the last.
 */
export const createLog = (level: LogLevel, lines = jsonLines()): Log =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, lines)

const jsonLines = (): DestinationStream => pino.destination({ dest: 2, sync: true })

/** Lines on stderr for who reads them in a terminal; only loaded there. */
export async function readableLines(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({ destination: 2, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' })
}
