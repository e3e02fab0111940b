import { configureGlobal } from 'fast-check'

/** Always the same, so that a run tells what changed; fast-check prints it where something fails. */
configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 1) })

// Each log waits for the end of its process, which all files of a worker share.
process.setMaxListeners(0)
