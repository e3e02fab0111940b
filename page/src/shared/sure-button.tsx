import { useState } from 'preact/hooks'

type Props = { label: string; name: string; onSure: () => void }

/** A button for what cannot be undone: it asks once more, in its own place. */
export function SureButton({ label, name, onSure }: Props) {
  const [isAsked, setAsked] = useState(false)
  const press = ({ detail }: MouseEvent) => {
    // The second half of a double click does not answer the question.
    if (isAsked && detail > 1) return
    setAsked(!isAsked)
    if (isAsked) onSure()
  }
  const keepHeld = (event: KeyboardEvent) => {
    // Nor does a key that is held down, but Tab goes on.
    if (event.repeat && event.key === 'Enter') event.preventDefault()
  }
  return (
    <button
      class={isAsked ? 'sure' : ''}
      aria-label={isAsked ? `Really ${label.toLowerCase()} ${name}?` : `${label} ${name}`}
      onClick={press}
      onKeyDown={keepHeld}
      onBlur={() => setAsked(false)}
    >
      {isAsked ? `Really ${label.toLowerCase()}?` : label}
    </button>
  )
}
