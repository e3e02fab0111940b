import { CommanderError } from 'commander'
import { ConnectionError, ProblemError, UnexpectedAnswerError } from '../../client/src/index.ts'
import { exitCodes } from './exit-codes.ts'
import { CommandFailed, UsageError } from './failures.ts'
import { messageOf } from './messages.ts'
import { note } from './output/print.ts'

type ErrorKind = abstract new (...args: never[]) => Error

/** What may happen to any command; anything else is a fault of ours, and shows where it happened. */
const expected: ErrorKind[] = [
  CommandFailed,
  UsageError,
  ProblemError,
  ConnectionError,
  UnexpectedAnswerError,
]

/** Carries out a command line, and sets what the process exits with. `others` are errors it may throw besides. */
export async function run(
  commandLine: () => Promise<unknown>,
  others: ErrorKind[] = [],
): Promise<void> {
  process.stdout.on('error', endWithOutput)
  try {
    await commandLine()
  } catch (error) {
    process.exitCode = exitCodeOf(error, [...expected, ...others])
  }
}

function exitCodeOf(error: unknown, kinds: ErrorKind[]): number {
  // Commander has said what is wrong, or has printed the help that was asked for.
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  if (error instanceof Error && error.name === 'AbortError') return exitCodes.interrupted
  if (!kinds.some((kind) => error instanceof kind)) throw error
  note(messageOf(error))
  return error instanceof UsageError ? exitCodes.usage : exitCodes.failed
}

/** A reader such as `head` may have had enough, or the disk of a file is full. */
function endWithOutput(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(exitCodes.brokenPipe)
  note(`The output cannot be written: ${error.message}.`)
  process.exit(exitCodes.failed)
}
