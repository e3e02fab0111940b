export const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : ''

/** For `catch`: turns errors of these codes into undefined. */
export const ignoring =
  (...codes: string[]) =>
  (cause: unknown): undefined => {
    if (!codes.includes(codeOf(cause))) throw cause
  }

export const ignoringMissing = ignoring('ENOENT')
