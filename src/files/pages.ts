import type { FileText } from './file-text.ts'

const endsSentence = /[.!?:;…。！？]["'”’»\)\]]*$/v
const goesOn = /^\p{Ll}/v

/** Joins the texts of pages. A sentence that goes on over their border stays one. */
export function joinPages(texts: string[]): FileText {
  let text = ''
  const pages: number[] = []
  for (const page of texts) {
    const next = page.trim()
    const isWrapped = !endsSentence.test(text) && goesOn.test(next)
    if (text !== '' && next !== '') text += isWrapped ? '\n' : '\n\n'
    pages.push(text.length)
    text += next
  }
  return { text, pages }
}
