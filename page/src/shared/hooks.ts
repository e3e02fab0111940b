import { useEffect, useRef, useState } from 'preact/hooks'

type Loaded<T> = { value?: T; error?: unknown; isBusy: boolean; again: () => void }

/** What `load` gives, or gave before it failed. It begins anew when a dependency changes, and gives up what it began before. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  dependencies: unknown[],
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'again'>>({ isBusy: true })
  const [round, setRound] = useState(0)
  useEffect(() => {
    const gone = new AbortController()
    setState(({ value }) => ({ value, isBusy: true }))
    load(gone.signal).then(
      (value) => gone.signal.aborted || setState({ value, isBusy: false }),
      (error: unknown) =>
        gone.signal.aborted || setState(({ value }) => ({ value, error, isBusy: false })),
    )
    return () => gone.abort()
  }, [round, ...dependencies])
  return { ...state, again: () => setRound((before) => before + 1) }
}

/** Does what a button asks for, once at a time, and keeps what went wrong. */
export function useAction() {
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const isRunning = useRef(false)
  const last = useRef(Promise.resolve())
  const perform = async (action: () => Promise<unknown>): Promise<void> => {
    isRunning.current = true
    setBusy(true)
    await action().catch((reason: unknown) => setError(reason))
    isRunning.current = false
    setBusy(false)
  }
  const run = async (action: () => Promise<unknown>): Promise<void> => {
    if (isRunning.current) return
    setError(undefined)
    await perform(action)
  }
  /** The same for what must not be left out: it waits for what was asked for before. */
  const queue = (action: () => Promise<unknown>): void => {
    if (!isRunning.current) setError(undefined)
    last.current = last.current.then(() => perform(action))
  }
  return { error, isBusy, run, queue }
}

/** A value once it has stayed the same for so many milliseconds. */
export function useDebounced<T>(value: T, milliseconds: number): T {
  const [late, setLate] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value])
  return late
}
