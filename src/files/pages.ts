import type { FileText } from './file-text.ts'

const endsSentence = /[.!?:;…。！？]["'”’»\)\]]*$/v
const maxEnd = 8
const goesOn = /^\p{Ll}/v

/** Whether a sentence goes on in what follows, as over the end of a page or a column. */
export const goesOnIn = (next: string, text: string): boolean =>
  !endsSentence.test(text.slice(-maxEnd)) && goesOn.test(next)

/** Joins the texts of pages. A sentence that goes on over their border stays one. */
export function joinPages(texts: string[]): FileText {
  let text = ''
  const pages: number[] = []
  for (const page of texts) {
    const next = page.trim()
    if (text !== '' && next !== '') text += goesOnIn(next, text) ? '\n' : '\n\n'
    pages.push(text.length)
    text += next
  }
  return { text, pages }
}

/** Whether a line says nothing but a number of a page: `17`, `- 17 -`, `Page 17 of 60`. */
export const isPageNumber = (line: string): boolean => pageWords.test(line)

const pageWords =
  /^(?:page|seite|pages?|p|s|of|von|de|sur|pagina|página|di|z|strona|oldal|sida|side|av|стр|страница|из|第|页|頁|共|ページ|[\s\d\p{P}\p{S}])*$/iv
