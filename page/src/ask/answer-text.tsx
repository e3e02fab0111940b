/** A single `#` begins a comment unless an empty line follows. A block that is not closed goes to the end. */
const headingOrCode = /^(#{2,6} .+$|# .+$(?=\n\n)|```.*\n(?:[^]*?^```$|[^]*))/m

type Part = { words: string; as?: 'heading' | 'code' }

/** A text in parts without the signs of Markdown, which quotes have as their documents do. */
export const partsOf = (text: string): Part[] =>
  text.split(headingOrCode).map((part, index) => {
    if (index % 2 === 0) return { words: part }
    if (part.startsWith('#')) return { words: part.replace(/^#+ /, ''), as: 'heading' }
    return { words: part.replace(/^```.*\n|\n?```$/g, ''), as: 'code' }
  })

/** A piece of an answer, with its headings and blocks of code. */
export const AnswerText = ({ text }: { text: string }) => (
  <>
    {partsOf(text).map(({ words, as }) => {
      if (as === 'heading') return <b class="heading">{words}</b>
      return as === 'code' ? <code>{words}</code> : words
    })}
  </>
)
