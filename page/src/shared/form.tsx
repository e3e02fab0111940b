import type { ComponentChildren } from 'preact'
import { Failure } from './failure.tsx'
import { useAction } from './hooks.ts'

type FieldProps = {
  label: ComponentChildren
  value?: string | number
  onValue?: (value: string) => void
  /** The type of an input, or else the rows of a text area. */
  type?: 'text' | 'search' | 'password' | 'number' | 'range' | 'date'
  rows?: number
  isShort?: boolean
  /** Further attributes, as HTML names them. */
  [attribute: string]: unknown
}

/** An input with its label. */
export function Field({ label, onValue, type = 'text', rows, isShort, ...given }: FieldProps) {
  const onInput = ({ currentTarget }: InputEvent) =>
    onValue?.((currentTarget as HTMLInputElement).value)
  const isText = type === 'text' || type === 'search'
  const attributes = { ...(isText && { dir: 'auto' as const }), ...given }
  return (
    <label class={isShort ? 'short' : undefined}>
      {label}
      {rows ? (
        <textarea {...attributes} rows={rows} onInput={onInput} />
      ) : (
        <input {...attributes} {...{ type: type as 'text' }} onInput={onInput} />
      )}
    </label>
  )
}

type FormProps = {
  children?: ComponentChildren
  /** What its button says. Without it there is none. */
  button: string | undefined
  onSend: () => Promise<unknown>
  class?: string
}

/** A form that says what went wrong. */
export function Form({ children, button, onSend, class: name = 'row' }: FormProps) {
  const { error, isBusy, run } = useAction()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void run(onSend)
  }
  return (
    <form class={name} onSubmit={submit}>
      {children}
      {button && (
        <button class="main" aria-disabled={isBusy}>
          {button}
        </button>
      )}
      <Failure error={error} />
    </form>
  )
}
