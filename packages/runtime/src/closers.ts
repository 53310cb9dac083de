import type { Logger } from './logger.ts'

/** What was opened registers here how it is closed; closing runs in reverse order, once. */
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
