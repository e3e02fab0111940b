import { EventEmitter } from 'node:events'
import { closeSync } from 'node:fs'

const unheard = () => new Error('unheard')

/** To be imported before a server, in which something then fails that nothing hears. */
const failures: Record<string, () => void> = {
  'an emitter': () => new EventEmitter().emit('error', unheard()),
  'a promise': () => void Promise.reject(unheard()),
  'every turn': () =>
    setInterval(() => {
      throw unheard()
    }),
  'the log': () => {
    closeSync(2)
    throw unheard()
  },
}

process.on('SIGUSR2', () => failures[process.env.UNHEARD ?? '']?.())

// The listener for it comes when there is no log yet.
process.on('newListener', (event: string) => {
  if (event !== 'unhandledRejection' || process.env.UNHEARD !== 'the start') return
  queueMicrotask(() => {
    throw unheard()
  })
})
