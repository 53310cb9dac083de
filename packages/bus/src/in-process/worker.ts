import { type ConsumerQueue, type DeliveryOptions, deliver, serialKey } from '../delivery.ts'
import { SerialByKey } from '../serial-by-key.ts'
import type { Leased, queueStore } from './queue-store.ts'
import type { Removals } from './removals.ts'

export type WorkerOptions = DeliveryOptions & {
  store: ReturnType<typeof queueStore>
  removals: Removals
  /** Called when a message was moved to a retry tier. */
  onRetry(delayMs: number): void
}

const storeRetryMs = 1_000

/** Leases one queue's messages in batches, as many as its prefetch allows, and settles each by its outcome. */
export class QueueWorker {
  readonly #consumer: ConsumerQueue
  readonly #options: WorkerOptions
  readonly #serial = new SerialByKey()
  #pulling: Promise<void> | undefined
  #pullAgain = false
  #maybeMore = false
  #stopped = false
  #timer: NodeJS.Timeout | undefined
  /** Messages leased since the start. */
  taken = 0

  constructor(consumer: ConsumerQueue, options: WorkerOptions) {
    this.#consumer = consumer
    this.#options = options
  }

  get busy(): boolean {
    return this.#serial.size > 0
  }

  wake(): void {
    if (this.#stopped) return
    if (this.#pulling) {
      this.#pullAgain = true
      return
    }
    this.#pulling = this.#pull()
      .catch((error: unknown) => {
        this.#options.logger.warn('A queue could not be read', { queue: this.#consumer.queue, error })
        this.#wakeLater()
      })
      .finally(() => {
        this.#pulling = undefined
        if (this.#pullAgain) this.wake()
      })
  }

  /** Resolves when the queue is empty and nothing is in flight. */
  async drain(): Promise<void> {
    do {
      this.wake()
      await this.#pulling
      await this.#serial.idle()
    } while ((this.#pulling || this.#pullAgain || this.#serial.size > 0) && !this.#stopped)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#pulling
    await this.#serial.idle()
  }

  #wakeLater(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.wake(), storeRetryMs)
  }

  async #pull(): Promise<void> {
    const { queue, prefetch } = this.#consumer
    do {
      this.#pullAgain = false
      const capacity = prefetch - this.#serial.size
      // The prefetch limit is reached. The next message that settles wakes this worker again.
      this.#maybeMore = true
      if (capacity <= 0) return
      const messages = await this.#options.store.lease(queue, capacity)
      this.#maybeMore = messages.length === capacity
      this.taken += messages.length
      for (const message of messages) {
        const key = serialKey(this.#consumer, message)
        void this.#serial.run(key, () => this.#process(message)).then(() => this.#refill())
      }
    } while (this.#pullAgain && !this.#stopped)
  }

  async #process(message: Leased): Promise<void> {
    const { store, removals, clock, onRetry, logger } = this.#options
    const outcome = await deliver(this.#consumer, message, this.#options)
    for (;;) {
      try {
        const now = clock.now()
        if (outcome.kind === 'done') await removals.remove(message.seq)
        else if (outcome.kind === 'dead') await store.park(message.seq, outcome.reason, outcome.detail, now)
        else {
          const retryAt = new Date(now.getTime() + outcome.delayMs)
          await store.retry(message.seq, outcome.attempt, retryAt)
          onRetry(outcome.delayMs)
        }
        break
      } catch (error) {
        logger.warn('A message could not be settled', { queue: this.#consumer.queue, error })
        // The message stays leased, and the next start redelivers it.
        if (this.#stopped) return
        await new Promise((resolve) => setTimeout(resolve, storeRetryMs))
      }
    }
  }

  /** When half of the prefetch is free, one query leases that many messages. */
  #refill(): void {
    if (!this.#maybeMore || this.#serial.size > this.#consumer.prefetch / 2) return
    this.#maybeMore = false
    setImmediate(() => this.wake())
  }
}
