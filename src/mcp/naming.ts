import { InvalidRequest } from '../errors/errors.ts'

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
