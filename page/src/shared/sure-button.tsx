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
  return (
    <button
      class={isAsked ? 'sure' : ''}
      aria-label={isAsked ? `Really ${label.toLowerCase()} ${name}?` : `${label} ${name}`}
      onClick={press}
      onKeyDown={ignoreHeld}
      onBlur={() => setAsked(false)}
    >
      {isAsked ? `Really ${label.toLowerCase()}?` : label}
    </button>
  )
}

/** A key that is held down does not answer either. Tab goes on. */
function ignoreHeld(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}
