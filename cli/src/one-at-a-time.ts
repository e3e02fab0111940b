/** Has work wait until all that was given before has ended. */
export function oneAtATime(): <T>(work: () => PromiseLike<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
