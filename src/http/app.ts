import express, { type ErrorRequestHandler, type Express } from 'express'
import { randomBytes } from 'node:crypto'
import type { Contract } from './contract.ts'
import { sendProblem } from './problem.ts'

/** Called with what a caller is not told: the cause of an internal error. */
export type ReportError = (error: unknown, requestId: string) => void

/** The Express application. It opens no port. */
export function createApp(contract: Contract, reportError: ReportError): Express {
  const app = express()
  app.disable('x-powered-by')
  app.use((_request, response, next) => {
    response.set('X-Request-Id', `req_${randomBytes(8).toString('hex')}`)
    next()
  })
  app.use((request, response) => contract(request, response))
  app.use(errorWriter(reportError))
  return app
}

/** Express knows an error handler by its four parameters. */
const errorWriter =
  (reportError: ReportError): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error)
    sendProblem(error, request, response)
    if (response.statusCode === 500) reportError(error, String(response.get('X-Request-Id')))
  }
