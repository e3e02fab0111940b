/** Tells a screen reader of an answer by whole sentences, as they come. */
export function ScreenReaderLog({ text, isOver }: { text: string; isOver: boolean }) {
  const sentences = Array.from(segmenter.segment(text), ({ segment }) => segment)
  const whole = isOver ? sentences : sentences.slice(0, -1)
  return (
    <div class="hidden" role="log" aria-live="polite" aria-label="Answer">
      {whole.map((sentence, index) => (
        <p key={index}>{sentence}</p>
      ))}
    </div>
  )
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })
