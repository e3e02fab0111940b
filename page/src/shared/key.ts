import { useEffect } from 'preact/hooks'

const name = 'playground-key'

/** The key in the address, else that of this tab, else the one that was to be kept on this machine. */
export function storedKey(): string | undefined {
  const given = takeKey()
  if (given) keepKey(given, false)
  return sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? undefined
}

export function keepKey(key: string, isKept: boolean): void {
  sessionStorage.setItem(name, key)
  if (isKept) localStorage.setItem(name, key)
}

export function forgetKey(): void {
  sessionStorage.removeItem(name)
  localStorage.removeItem(name)
}

/** Takes a key out of the address at once, so that neither history nor screen keep it. */
function takeKey(): string | undefined {
  const [, key] = /[#&]key=([^&]+)/.exec(window.location.hash) ?? []
  if (!key) return undefined
  window.history.replaceState(null, '', window.location.pathname)
  const given = decoded(key).trim()
  // No header takes others, and README shows a key with an ellipsis.
  return /^[\x21-\x7e]+$/.test(given) ? given : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A key may also come while the page is open already. */
export function useKeyInAddress(onKey: (key: string) => void): void {
  useEffect(() => {
    const look = () => {
      const key = takeKey()
      if (key) onKey(key)
    }
    window.addEventListener('hashchange', look)
    return () => window.removeEventListener('hashchange', look)
  })
}
