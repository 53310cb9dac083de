import type { Logger } from './logger.ts'

/** Collects functions that close resources and runs them once, in reverse order. */
export class Closers {
  readonly #stack: { name: string; close: () => Promise<void> | void }[] = []
  #closing: Promise<void> | undefined

  add(name: string, close: () => Promise<void> | void): void {
    this.#stack.push({ name, close })
  }

  closeAll(logger: Logger): Promise<void> {
    this.#closing ??= this.#closeInReverse(logger)
    return this.#closing
  }

  async #closeInReverse(logger: Logger): Promise<void> {
    for (const { name, close } of this.#stack.reverse()) {
      try {
        await close()
      } catch (error) {
        logger.error('closing failed', { part: name, error })
      }
    }
  }
}
