/** Control characters except tabs, line ends and the styles that are printed here. */
// oxlint-disable-next-line no-control-regex -- A style begins with one.
const commands = /(?![\t\n]|\r\n|\x1b\[\d+m)\p{Cc}/gu

/** A text that may come from anybody, without what a terminal takes for a command. */
export const harmless = (text: string): string => text.replace(commands, '\ufffd')
