import { UnavailableError } from '@kyc/common'

/**
 * Runs `concurrency` tasks at a time and lets `limit` more wait. Further tasks are rejected immediately, so that load
 * never accumulates in memory.
 */
export class BoundedQueue {
  readonly #concurrency: number
  readonly #limit: number
  readonly #waiting: (() => void)[] = []
  #running = 0
  #idle: (() => void)[] = []

  constructor(options: { concurrency: number; limit: number }) {
    this.#concurrency = options.concurrency
    this.#limit = options.limit
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Throws UnavailableError (503 with `retry-after`) when the queue is full. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#concurrency) this.#running += 1
    else {
      if (this.#waiting.length >= this.#limit)
        throw new UnavailableError('Too many images are being processed; try again in a moment.', 1)
      // The task that finishes hands over its slot, so `running` stays unchanged.
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
      if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve()
    }
  }

  /** Resolves when nothing runs and nothing waits. */
  async drained(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }
}
