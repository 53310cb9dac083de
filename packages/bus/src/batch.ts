import { isTransient } from './errors.ts'

type Waiting<M> = { message: M; resolve(): void; reject(error: unknown): void }

/**
 * Passes on everything that arrived while the previous batch was being handled, one batch at a time and in order of
 * arrival. When a batch fails, its messages are handled one by one, so that a bad message does not fail the others.
 */
export class Batches<M> {
  readonly #handle: (messages: readonly M[]) => Promise<void>
  #waiting: Waiting<M>[] = []
  #busy = false

  constructor(handle: (messages: readonly M[]) => Promise<void>) {
    this.#handle = handle
  }

  /** Settles with the result of handling this message. */
  handle(message: M): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message, resolve, reject })
      if (this.#busy) return
      this.#busy = true
      // Messages that arrive in the same turn of the event loop belong to the same batch.
      setImmediate(() => void this.#run())
    })
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      await this.#handleAll(batch)
    }
    this.#busy = false
  }

  async #handleAll(batch: readonly Waiting<M>[]): Promise<void> {
    try {
      await this.#handle(batch.map(({ message }) => message))
      for (const { resolve } of batch) resolve()
    } catch (error) {
      if (batch.length > 1 && !isTransient(error)) for (const each of batch) await this.#handleAll([each])
      else for (const { reject } of batch) reject(error)
    }
  }
}
