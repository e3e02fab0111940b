import { useEffect, useState } from 'preact/hooks'
import { Select } from './shared/choices.tsx'

const name = 'playground-colours'

/** Light or dark, or as the system has it. */
export function Theme() {
  const [theme, setTheme] = useState(() => localStorage.getItem(name) ?? '')
  useEffect(() => {
    document.documentElement.dataset.theme = theme
    if (theme) localStorage.setItem(name, theme)
    else localStorage.removeItem(name)
  }, [theme])
  return (
    <Select
      label="Colours"
      value={theme}
      onValue={setTheme}
      options={[
        ['', 'as the system'],
        ['light', 'light'],
        ['dark', 'dark'],
      ]}
    />
  )
}
