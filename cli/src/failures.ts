/** When a command fails; the message is for whoever gave it. */
export class CommandFailed extends Error {}

/** When the words of a command line make no command. */
export class UsageError extends Error {}
