import { type Clock, type Database, type Logger, systemClock } from '@kyc/runtime'
import type { Bus } from './bus.ts'
import { createInbox } from './inbox.ts'
import { type LeasedMessage, relayStore } from './relay-store.ts'
import { outboxChannel } from './tables.ts'

export type OutboxLag = { pending: number; oldestAgeSeconds: number }

export type RelayOptions = {
  /** The service's own schema, which holds `outbox`. */
  database: Database
  bus: Pick<Bus, 'publish' | 'attach'>
  logger: Logger
  clock?: Clock
  /** Rows taken at once (500). */
  batchSize?: number
  /** After a crash, how long until another relay takes the rows over (10 s); longer than one publication may take. */
  leaseMs?: number
  /** How often to look when nothing happens (1 s): delayed rows, lost notifications, expired leases. */
  pollMs?: number
  /** How long sent rows are kept (24 h). */
  keepSentMs?: number
  /** How long the service's inbox remembers (90 days): longer than any dead letter waits to be replayed. */
  keepProcessedMs?: number
  /** Told once a minute how far behind the outbox is. */
  onLag?(lag: OutboxLag): void
}

const housekeepingMs = 60_000
const dayMs = 24 * 3_600_000
const maxBackoffMs = 5_000
/** After activity the relay looks again soon, then ever later: not every transaction of a burst notifies. */
const alertMs = 5

/** Carries committed outbox rows to the bus: at least once, in order per key, within milliseconds of the commit. */
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

  /** Publishes everything that is due; returns how many rows were sent. Throws nothing: what fails stays in the outbox. */
  async flush(): Promise<number> {
    // A run under way may have looked before the caller's commit, so one more follows it.
    while (this.#running) await this.#running
    return this.#run()
  }

  lag(): Promise<OutboxLag> {
    return this.#store.lag(this.#options.clock.now())
  }

  /** Deletes sent rows and inbox rows past their age; returns how many there were. */
  async prune(): Promise<number> {
    const { clock, keepSentMs, keepProcessedMs, database } = this.#options
    const now = clock.now().getTime()
    const sent = await this.#store.prune(new Date(now - keepSentMs))
    return sent + (await createInbox(database).prune(database, new Date(now - keepProcessedMs)))
  }

  /** Ends the run under way, leaving the rest for the next start. */
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

  /** The next look is planned after every run, whoever began it: one that fell into a flush was put off to its end. */
  #run(): Promise<number> {
    this.#running ??= this.#sendAll().then((sent) => {
      this.#running = undefined
      this.#schedule(sent)
      return sent
    })
    return this.#running
  }

  /** A full batch means a backlog: then a second hand leases and marks while the first publishes. */
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

  /** No queue is bound yet: a subscriber that was never deployed. The event waits for it, ever more patiently. */
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
