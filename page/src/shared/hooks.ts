import { useEffect, useRef, useState } from 'preact/hooks'

type Loaded<T> = { value?: T; error?: unknown; isBusy: boolean; again: () => void }

/** The result of `load`, or its last one before a failure. A changed dependency aborts it and loads again. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  dependencies: unknown[],
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'again'>>({ isBusy: true })
  const [round, setRound] = useState(0)
  useEffect(() => {
    const outdated = new AbortController()
    setState(({ value }) => ({ value, isBusy: true }))
    load(outdated.signal).then(
      (value) => outdated.signal.aborted || setState({ value, isBusy: false }),
      (error: unknown) =>
        outdated.signal.aborted || setState(({ value }) => ({ value, error, isBusy: false })),
    )
    return () => outdated.abort()
  }, [round, ...dependencies])
  return { ...state, again: () => setRound((before) => before + 1) }
}

/** Runs the action of a button, one at a time, and keeps its error. */
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
  /** As `run`, but waits for the actions before instead of dropping this one. */
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
