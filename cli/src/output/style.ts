import pc from 'picocolors'

// Never undefined: picocolors would then decide, and it colours whatever runs in CI.
const isPlain = (stream: NodeJS.WriteStream): boolean =>
  !stream.isTTY || Boolean(process.env.NO_COLOR) || process.env.TERM === 'dumb'

/** Styles of what is printed; they leave a text as it is where it goes to a pipe or NO_COLOR is set. */
export const style = pc.createColors(!isPlain(process.stdout))
