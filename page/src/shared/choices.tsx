type SelectProps = {
  label: string
  value: string
  onValue: (value: string) => void
  /** What is shown, by value. */
  options: [value: string, shown: string][]
}

export function Select({ label, value, onValue, options }: SelectProps) {
  return (
    <label class="short">
      {label}
      <select value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {options.map(([one, shown]) => (
          <option key={one} value={one}>
            {shown}
          </option>
        ))}
      </select>
    </label>
  )
}

type TickProps = { label: string; checked: boolean; onTick: (isTicked: boolean) => void }

export function Tick({ label, checked, onTick }: TickProps) {
  const change = ({ currentTarget }: Event) => onTick((currentTarget as HTMLInputElement).checked)
  return (
    <label class="inline">
      <input type="checkbox" checked={checked} onChange={change} /> {label}
    </label>
  )
}
