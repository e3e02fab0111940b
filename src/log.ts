import { type Logger, pino } from 'pino'
import type { LogLevel } from './config.ts'

export type Log = Logger

/** JSON lines on stderr; stdout is for what a person starting the server wants to read. */
export const createLog = (level: LogLevel): Log =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2))
