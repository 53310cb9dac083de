import { type Clock, type Database, type Logger, systemClock } from '@kyc/runtime'
import type { Bus } from './bus.ts'
import { createInbox } from './inbox.ts'
import { type LeasedMessage, relayStore } from './relay-store.ts'
import { outboxChannel } from './tables.ts'

export type OutboxLag = { pending: number; oldestAgeSeconds: number }

export type RelayOptions = {
  /** The schema of the service, which contains `outbox`. */
  database: Database
  bus: Pick<Bus, 'publish' | 'attach'>
  logger: Logger
  clock?: Clock
  /** Rows per lease (500). */
  batchSize?: number
  /**
   * Time after which another relay reclaims the rows of a crashed one (10 s). Must exceed the duration of one
   * publication.
   */
  leaseMs?: number
  /** Polling interval without notifications (1 s), for delayed rows, lost notifications and expired leases. */
  pollMs?: number
  /** How long sent rows are retained (24 h). */
  keepSentMs?: number
  /**
   * How long the inbox retains message ids (90 days). Must exceed the time that a dead letter can wait to be replayed.
   */
  keepProcessedMs?: number
  /** Called once a minute with the backlog of the outbox. */
  onLag?(lag: OutboxLag): void
}

const housekeepingMs = 60_000
const dayMs = 24 * 3_600_000
const maxBackoffMs = 5_000
/** First polling delay after activity; it grows from there. Not every transaction of a burst notifies. */
const alertMs = 5

/** Publishes committed outbox rows to the bus: at least once, in order per key, within milliseconds of the commit. */
export class OutboxRelay {
  readonly #options: Required<Omit<RelayOptions, 'onLag'>> & Pick<RelayOptions, 'onLag'>
  readonly #store: ReturnType<typeof relayStore>
  #running: Promise<number> | undefined
  #again = false
  #started = false
  #stopping = false
  #failures = 0
  #idleMs = alertMs
  #poll: NodeJS.Timeout | undefined
  #housekeeping: NodeJS.Timeout | undefined
  #unlisten: (() => Promise<void>) | undefined

  constructor(options: RelayOptions) {
    this.#options = {
      clock: systemClock,
      batchSize: 500,
      leaseMs: 10_000,
      pollMs: 1_000,
      keepSentMs: dayMs,
      keepProcessedMs: 90 * dayMs,
      ...options,
    }
    this.#store = relayStore(options.database)
    options.bus.attach(this)
  }

  async start(): Promise<void> {
    const { database } = this.#options
    this.#unlisten = await database.listen(outboxChannel(database.schema), () => this.#wake())
    this.#housekeeping = setInterval(() => void this.#keepHouse(), housekeepingMs)
    this.#housekeeping.unref()
    this.#started = true
    this.#wake()
  }

  /**
   * Publishes everything that is due; returns how many rows were sent. Never throws: rows that fail stay in the outbox.
   */
  async flush(): Promise<number> {
    // A run in progress may have queried before the caller's commit, so run once more after it.
    while (this.#running) await this.#running
    return this.#run()
  }

  lag(): Promise<OutboxLag> {
    return this.#store.lag(this.#options.clock.now())
  }

  /** Deletes sent rows and inbox rows older than their retention; returns how many. */
  async prune(): Promise<number> {
    const { clock, keepSentMs, keepProcessedMs, database } = this.#options
    const now = clock.now().getTime()
    const sent = await this.#store.prune(new Date(now - keepSentMs))
    return sent + (await createInbox(database).prune(database, new Date(now - keepProcessedMs)))
  }

  /** Stops the run in progress. The remaining rows wait for the next start. */
  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#poll)
    clearInterval(this.#housekeeping)
    await this.#unlisten?.()
    await this.#running
    clearTimeout(this.#poll)
  }

  #wake(): void {
    this.#idleMs = alertMs
    this.#look()
  }

  #look(): void {
    if (this.#stopping) return
    clearTimeout(this.#poll)
    if (this.#running) {
      this.#again = true
      return
    }
    void this.#run()
  }

  #schedule(sent: number): void {
    if (!this.#started || this.#stopping) return
    if (this.#again) {
      this.#again = false
      this.#look()
      return
    }
    this.#idleMs = sent > 0 ? alertMs : Math.min(this.#options.pollMs, this.#idleMs * 2)
    const backoffMs = Math.min(maxBackoffMs, 100 * 2 ** this.#failures)
    clearTimeout(this.#poll)
    this.#poll = setTimeout(() => this.#look(), this.#failures > 0 ? backoffMs : this.#idleMs)
  }

  /**
   * Always reschedules after a run, including runs started by flush(); otherwise a wake-up that arrives during a flush
   * is lost.
   */
  #run(): Promise<number> {
    this.#running ??= this.#sendAll().then((sent) => {
      this.#running = undefined
      this.#schedule(sent)
      return sent
    })
    return this.#running
  }

  /**
   * A full batch means that there is a backlog. A second loop then leases and marks rows while the first one publishes.
   */
  async #sendAll(mayCallHelp = true): Promise<number> {
    let total = 0
    let helper: Promise<number> | undefined
    while (!this.#stopping) {
      try {
        const { clock, batchSize, leaseMs } = this.#options
        const batch = await this.#store.lease(clock.now(), batchSize, leaseMs)
        if (batch.length === 0) {
          this.#failures = 0
          break
        }
        if (batch.length === batchSize && mayCallHelp) helper ??= this.#sendAll(false)
        const sent = await this.#sendBatch(batch)
        total += sent
        if (sent === 0 && this.#failures > 0) break
      } catch (error) {
        this.#failures++
        this.#options.logger.warn('The outbox could not be read or marked', { error })
        break
      }
    }
    return total + ((await helper) ?? 0)
  }

  async #sendBatch(batch: LeasedMessage[]): Promise<number> {
    const { clock, bus, logger } = this.#options
    const outcomes = await bus.publish(batch)
    const having = (outcome: string) => batch.filter((_, index) => outcomes[index] === outcome)
    const [sent, failed, unroutable] = [having('sent'), having('failed'), having('unroutable')]
    const seqs = (rows: LeasedMessage[]) => rows.map((row) => row.seq)
    const now = clock.now()
    if (sent.length > 0) await this.#store.markSent(now, seqs(sent))
    if (failed.length > 0) {
      await this.#store.release(now, seqs(failed))
      logger.warn('Events were not confirmed and will be published again', { count: failed.length })
    }
    if (unroutable.length > 0) await this.#postpone(unroutable, now)
    this.#failures = failed.length > 0 ? this.#failures + 1 : 0
    return sent.length
  }

  /** No queue is bound yet, because no subscriber was ever deployed. The event is retried at growing intervals. */
  async #postpone(rows: LeasedMessage[], now: Date): Promise<void> {
    for (const row of rows) {
      const delayMs = Math.min(60_000, 1_000 * 2 ** Math.min(row.attempts, 6))
      await this.#store.release(new Date(now.getTime() + delayMs), [row.seq])
      this.#options.logger.warn('No queue is bound to an event; it waits in the outbox', {
        event: row.name,
        message_id: row.id,
        delay_ms: delayMs,
      })
    }
  }

  async #keepHouse(): Promise<void> {
    try {
      await this.prune()
      this.#options.onLag?.(await this.lag())
    } catch (error) {
      this.#options.logger.warn('Outbox housekeeping failed', { error })
    }
  }
}
