import { randomBytes } from 'node:crypto'

/** What a request is called in its answer and in the log. */
export const newRequestId = (): string => `req_${randomBytes(8).toString('hex')}`
