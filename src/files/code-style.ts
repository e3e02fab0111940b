/** Names that Word, LibreOffice and pandoc give to the style of code. */
const name = /^(?:source code|(?:html )?preformatted(?: text)?|code(?: block)?|macro text)$/i

/** Whether paragraphs of a style are code, whose blanks and lines are kept. LibreOffice writes `_20_` for a blank. */
export const isCodeStyle = (style: string): boolean => name.test(style.replaceAll('_20_', ' '))
