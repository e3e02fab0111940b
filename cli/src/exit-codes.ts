/** What a command line exits with. Those of signals are what shells say of a process that one ended. */
export const exitCodes = { done: 0, failed: 1, usage: 2, interrupted: 130, brokenPipe: 141 }
