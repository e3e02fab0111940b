import { InvalidRequest } from '../errors/errors.ts'

/** The arguments of a tool call, unchecked: tools and operations check them. */
export type Arguments = Record<string, unknown>

/** @throws InvalidRequest */
export function requireText(args: Arguments, member: string): string {
  const value = args[member]
  if (typeof value === 'string' && value !== '') return value
  throw invalidArgument(
    member,
    value === undefined ? 'is required' : 'must be a string that is not empty',
  )
}

/** A document may have told an assistant what to send, so unknown arguments are refused. @throws InvalidRequest */
export function allowOnly(args: Arguments, ...known: string[]): void {
  refuse(args, (name) => !known.includes(name))
}

/** @throws InvalidRequest */
export function refuse(args: Arguments, isRefused: (name: string) => boolean): void {
  const refused = Object.keys(args).filter(isRefused)
  const violations = refused.map((name) => ({ pointer: `/${name}`, detail: 'is not known here' }))
  if (violations.length > 0) throw new InvalidRequest(violations)
}

export const invalidArgument = (member: string, detail: string): InvalidRequest =>
  new InvalidRequest([{ pointer: `/${member}`, detail }])

/** For `catch`: rethrows an error, with an operation's parameters in its pointers renamed to the tool's arguments. */
export const renamePointers =
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

export const renameCursor = renamePointers({ '/query/cursor': '/cursor' })
