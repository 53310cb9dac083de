/** One page of a list, as returned by the service. */
export type Page<T> = { data: T[]; page: number; page_size: number; total: number }

/**
 * A list: `await` it for one page, or iterate over the items of all pages with `for await`. Items created while you
 * read push others to a later page, so an item can be seen twice, but none is missed.
 */
export type Paged<T> = PromiseLike<Page<T>> & AsyncIterable<T>

export function paged<T>(first: number, load: (page: number) => Promise<Page<T>>): Paged<T> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is awaited for its first page
    then: (resolve, reject) => load(first).then(resolve, reject),
    async *[Symbol.asyncIterator]() {
      for (let number = first; ; number++) {
        const page = await load(number)
        yield* page.data
        if (page.data.length === 0 || page.page * page.page_size >= page.total) return
      }
    },
  }
}
