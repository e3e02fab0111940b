import pc from 'picocolors'

const isStyled = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb'

/** Styles of what is printed; they leave a text as it is where it goes to a pipe or NO_COLOR is set. */
export const style = pc.createColors(isStyled(process.stdout))
