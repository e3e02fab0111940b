/** A single `#` may begin a comment. A block that is not closed goes to the end. */
const headingOrCode = /^(#{2,6} .+$|```.*\n(?:[^]*?^```$|[^]*))/m

/** A piece of an answer, with the headings and blocks of code that quotes have as Markdown. */
export const AnswerText = ({ text }: { text: string }) => (
  <>
    {text.split(headingOrCode).map((part, index) => {
      if (index % 2 === 0) return part
      if (part.startsWith('#')) return <b class="heading">{part.replace(/^#+ /, '')}</b>
      return <code>{part.replace(/^```.*\n|\n?```$/g, '')}</code>
    })}
  </>
)
