import { useLayoutEffect, useState } from 'preact/hooks'
import { Select } from './shared/choices.tsx'

const name = 'playground-colours'

/** Light or dark, or as the system has it. */
export function Theme() {
  const [theme, setTheme] = useState(() => localStorage.getItem(name) ?? '')
  // Before anything is painted, so that no light page flashes up in the dark.
  useLayoutEffect(() => {
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
