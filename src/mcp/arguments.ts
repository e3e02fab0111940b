import { InvalidRequest } from '../errors/errors.ts'

/** What a tool is called with, as it came: tools and operations check it. */
export type Arguments = Record<string, unknown>

/** @throws InvalidRequest */
export function requireText(args: Arguments, member: string): string {
  const value = args[member]
  if (typeof value === 'string' && value !== '') return value
  throw wrong(member, value === undefined ? 'is required' : 'must be a string that is not empty')
}

/** An assistant may have read in a document what to send, so nothing is passed on unseen. @throws InvalidRequest */
export function refuseOthers(args: Arguments, ...known: string[]): void {
  refuse(args, (name) => !known.includes(name))
}

/** @throws InvalidRequest */
export function refuse(args: Arguments, isRefused: (name: string) => boolean): void {
  const refused = Object.keys(args).filter(isRefused)
  const violations = refused.map((name) => ({ pointer: `/${name}`, detail: 'is not known here' }))
  if (violations.length > 0) throw new InvalidRequest(violations)
}

export const wrong = (member: string, detail: string): InvalidRequest =>
  new InvalidRequest([{ pointer: `/${member}`, detail }])

/** Rethrows an error; of a refusal it names the tool's arguments, by the parameters that they were passed as. */
export const naming =
  (argumentsOf: Record<string, string>) =>
  (error: unknown): never => {
    if (!(error instanceof InvalidRequest)) throw error
    throw new InvalidRequest(
      error.violations.map(({ pointer, detail }) => ({
        pointer: argumentsOf[pointer] ?? pointer,
        detail,
      })),
    )
  }

export const namingCursor = naming({ '/query/cursor': '/cursor' })
