import { useEffect, useState } from 'preact/hooks'

/** A value once it has stayed the same for so many milliseconds. */
export function useLater<T>(value: T, milliseconds: number): T {
  const [late, setLate] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value])
  return late
}
