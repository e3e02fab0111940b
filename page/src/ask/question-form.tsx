import { useEffect, useRef, useState } from 'preact/hooks'
import { Field } from '../shared/form.tsx'

type Props = {
  isRunning: boolean
  /** The turns so far. */
  turns: unknown[]
  /** @returns whether it failed */
  onAsk: (query: string) => Promise<boolean>
  onStop: () => void
  onBegin: () => void
}

/** Takes the next question of a conversation. */
export function QuestionForm({ isRunning, turns, onAsk, onStop, onBegin }: Props) {
  const [query, setQuery] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const hasTurns = turns.length > 0
  useEffect(() => {
    if (hasTurns) form.current?.scrollIntoView({ block: 'nearest' })
  }, [turns])
  const ask = (event: Event) => {
    event.preventDefault()
    if (isRunning || query.trim() === '') return
    setQuery('')
    // Keeps what the user typed meanwhile.
    void onAsk(query).then((hasFailed) => hasFailed && setQuery((now) => now || query))
  }
  /** These buttons disappear when they are pressed, so the focus moves. */
  const end = (what: () => void) => {
    what()
    form.current?.querySelector('input')?.focus()
  }
  const label = hasTurns ? 'Your next question' : 'Your question'
  return (
    <form class="row question" ref={form} onSubmit={ask}>
      <Field label={label} autocomplete="off" value={query} onValue={setQuery} />
      <button class="main">Ask</button>
      <button type="button" hidden={!isRunning} onClick={() => end(onStop)}>
        Stop
      </button>
      <button type="button" hidden={!hasTurns} onClick={() => end(onBegin)}>
        New conversation
      </button>
    </form>
  )
}
