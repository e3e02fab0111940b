import { useEffect, useState } from 'preact/hooks'
import { partsOf } from './answer-text.tsx'

type Props = { text: string; isOver: boolean }

const timeToTell = 3000

/** Tells a screen reader of an answer by whole sentences, as they come, and is empty once they were told. */
export function ScreenReaderLog({ text, isOver }: Props) {
  const [isTold, setTold] = useState(isOver)
  useEffect(() => {
    if (!isOver) return undefined
    const timer = setTimeout(() => setTold(true), timeToTell)
    return () => clearTimeout(timer)
  }, [isOver])
  const words = partsOf(text).map((part) => part.words)
  const sentences = Array.from(segmenter.segment(words.join('')), ({ segment }) => segment)
  const whole = isOver ? sentences : sentences.slice(0, -1)
  return (
    <div class="hidden" role="log" aria-live="polite" aria-label="Answer">
      {!isTold && whole.map((sentence, index) => <p key={index}>{sentence}</p>)}
    </div>
  )
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })
