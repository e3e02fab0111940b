import { configureGlobal } from 'fast-check'

/** Always the same seed, so that a run shows what changed. fast-check prints it after a failure. */
configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 1) })

// Each log waits for the end of its process, which all files of a worker share.
process.setMaxListeners(0)
