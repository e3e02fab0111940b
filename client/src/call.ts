export type Answer<T> = { data: T; response: Response }

/** The promise of an answer's data. `withResponse()` gives the headers too, such as `ETag`. */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Call'
  readonly #answer: Promise<Answer<T>>

  constructor(answer: Promise<Answer<T>>) {
    this.#answer = answer
  }

  async withResponse(): Promise<Answer<T>> {
    const { data, response } = await this.#answer
    return { data, response }
  }

  // oxlint-disable-next-line unicorn/no-thenable -- A call is awaited like any promise.
  then<A = T, B = never>(
    fulfilled?: ((data: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(fulfilled, rejected)
  }

  catch<B = never>(rejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, rejected)
  }

  finally(settled?: (() => void) | null): Promise<T> {
    return this.then().finally(settled)
  }
}

export type Page = { data: unknown[]; nextCursor: string | null }
type ItemOf<P extends Page> = Awaited<P['data'][number]>

/** The promise of a page, and an iterable over the things of that page and of all that follow. */
export class PagedCall<P extends Page> extends Call<P> implements AsyncIterable<ItemOf<P>> {
  readonly #next: (cursor: string) => PagedCall<P>

  constructor(answer: Promise<Answer<P>>, next: (cursor: string) => PagedCall<P>) {
    super(answer)
    this.#next = next
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<P>, void, undefined> {
    let page: Page = await this
    for (;;) {
      yield* page.data as ItemOf<P>[]
      if (page.nextCursor === null) return
      page = await this.#next(page.nextCursor)
    }
  }
}
