import type { Response } from 'express'

/** Answers OPTIONS, and a browser that asks first, with the methods of a path. */
export function sendOptions(response: Response, methods: string[]): void {
  const allowed = methods.join(', ')
  response.set('Allow', allowed)
  if (response.get('Access-Control-Allow-Origin')) {
    response.set('Access-Control-Allow-Methods', allowed)
  }
  response.status(204).end()
}
