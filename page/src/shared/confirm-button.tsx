import { useState } from 'preact/hooks'

type Props = { label: string; name: string; onConfirm: () => void }

/** A button for what cannot be undone: it asks for a second click. */
export function ConfirmButton({ label, name, onConfirm }: Props) {
  const [isAsked, setAsked] = useState(false)
  const press = ({ detail }: MouseEvent) => {
    // The second half of a double click does not confirm.
    if (isAsked && detail > 1) return
    setAsked(!isAsked)
    if (isAsked) onConfirm()
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

/** A key that is held down does not confirm. Tab still moves on. */
function ignoreHeld(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}
