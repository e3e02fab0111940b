import { readPlainXml } from './xml.ts'

/** The paragraphs of a diagram or of another drawing of Office, in their order. */
export function drawnTexts(xml: Uint8Array): string[] {
  const texts: string[] = []
  let [tag, text, fallbacks] = ['', '', 0]
  readPlainXml(xml, {
    onopentag: (name) => {
      tag = name
      if (name === 'Fallback') fallbacks += 1
      if (name === 'br') text += ' '
    },
    ontext: (piece) => {
      if (tag === 't' && fallbacks === 0) text += piece
    },
    onclosetag: (name) => {
      tag = ''
      if (name === 'Fallback') fallbacks -= 1
      if (name !== 'p') return
      if (text.trim() !== '') texts.push(text.trim())
      text = ''
    },
  })
  return texts
}
