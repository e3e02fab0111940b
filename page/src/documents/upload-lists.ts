import { useEffect, useMemo, useState } from 'preact/hooks'
import { useClient } from '../shared/client.ts'
import { isOver, type Upload, uploadAll } from './upload.ts'

/** What was put in each datastore. It outlives the pane, and is lost on reload. */
export type UploadLists = {
  of: (datastoreId: string) => Upload[]
  send: (datastoreId: string, uploads: Upload[]) => Promise<void>
}

const pause = 1000

/** Reports changes in intervals, because a folder may have thousands. */
export function useUploadLists(onChange: () => void, isSending: { current: boolean }): UploadLists {
  const client = useClient()
  const [lists, setLists] = useState<Record<string, Upload[]>>({})
  const left = useMemo(() => new AbortController(), [])
  useEffect(
    () => () => {
      left.abort()
      isSending.current = false
    },
    [],
  )
  const isRunning = Object.values(lists).some((list) => !list.every(isOver))
  useEffect(() => {
    isSending.current = isRunning
    // The browser asks before it leaves.
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    if (isRunning) window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [isRunning])
  const send = async (id: string, uploads: Upload[]) => {
    const change = (next: (list: Upload[]) => Upload[]) =>
      setLists((all) => ({ ...all, [id]: next(all[id] ?? []) }))
    const paths = new Set(uploads.map(({ path }) => path))
    change((list) => [...list.filter(({ path }) => !paths.has(path)), ...uploads])
    let told = 0
    await uploadAll({ client, datastoreId: id, signal: left.signal }, uploads, (next) => {
      change((list) => list.map((one) => (one.file === next.file ? next : one)))
      if (next.state !== 'done' || performance.now() < told + pause) return
      told = performance.now()
      onChange()
    })
    onChange()
  }
  return { of: (id) => lists[id] ?? [], send }
}
