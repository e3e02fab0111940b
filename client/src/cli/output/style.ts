import pc from 'picocolors'

const isPlain = (stream: NodeJS.WriteStream): boolean =>
  !stream.isTTY || Boolean(process.env.NO_COLOR) || process.env.TERM === 'dumb'

/** Styles of what is printed; they leave a text as it is where it goes to a pipe or NO_COLOR is set. */
// Without an answer of ours picocolors colours whatever runs in CI.
export const style = pc.createColors(!isPlain(process.stdout))
