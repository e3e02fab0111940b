/** When a command fails. The message is printed. */
export class CommandFailed extends Error {}

/** When a command line is not valid. */
export class UsageError extends Error {}
