import { randomUUID } from 'node:crypto'
import type { Job } from '@kyc/host'
import { type Clock, type Database, type Logger, type Metrics, startSpan, traceIdOf } from '@kyc/runtime'
import { succeeded } from '../domain/attempt.ts'
import { returned } from '../domain/delivery.ts'
import { dueApps, type Lease, returnExpiredLeases, takeLeases } from '../store/leases.ts'
import { type Settlement, settle } from '../store/settle.ts'
import { type AttemptParts, attemptDelivery } from './attempt-delivery.ts'
import type { Destinations } from './destinations.ts'
import { GroupCommit } from './group-commit.ts'
import { Turnover } from './turnover.ts'

export type SenderOptions = {
  database: Database
  attempt: AttemptParts
  destinations: Destinations
  clock: Clock
  logger: Logger
  metrics: Metrics
  /**
   * Poll interval for work without a wake-up: due retries, expired leases of dead workers, and work of other
   * replicas.
   */
  pollMs: number
  /** Longer than any attempt and the write of its outcome. */
  leaseMs: number
  /** Maximum concurrent attempts. */
  concurrency: number
}

/** Attempts that end within this time share one query for more work. */
const gatherMs = 3
const settleRetryMs = 1_000
/** Leases that waited longer for a slot are returned, because the URL and secret may have changed. */
const staleMs = 1_000
/** Maximum number of leases taken ahead, as a multiple of the concurrency. */
const maxAhead = 4
/** While every app fills its slots, reuse the list of due apps for this long instead of querying it. */
const sameAppsMs = 100

/** Sends due deliveries. Any number of replicas share the work through leases. */
export class Sender implements Job {
  readonly name = 'webhook sender'
  readonly #options: SenderOptions
  readonly #settlements: GroupCommit<Settlement, Set<string>>
  readonly #underWay = new Set<Promise<void>>()
  /** Leased ahead of a free slot, so that no slot is idle during a database query. */
  readonly #ready: { lease: Lease; since: number }[] = []
  readonly #turnover = new Turnover()
  #busyApps: { apps: readonly string[]; until: number } | undefined
  #running = 0
  readonly #outcomes
  readonly #waits
  readonly #attemptsUnderWay
  #looking: Promise<number> | undefined
  #lookAgain = false
  /** Expired leases are reclaimed at the poll interval, not on every wake-up. */
  #reclaim = true
  #stopped = true
  #poll: NodeJS.Timeout | undefined
  #gather: NodeJS.Timeout | undefined

  constructor(options: SenderOptions) {
    this.#options = options
    this.#settlements = new GroupCommit((items) => settle(options.database, items))
    const { metrics } = options
    this.#outcomes = metrics.counter('webhook_attempts_total', 'Ended attempts, by outcome', ['outcome'])
    this.#waits = metrics.histogram(
      'webhook_first_attempt_delay_seconds',
      'From the event to its first attempt',
    )
    this.#attemptsUnderWay = metrics.gauge('webhook_attempts_under_way', 'Attempts that have not ended')
  }

  start(): void {
    this.#stopped = false
    this.wake()
  }

  /** Starts nothing new and waits for the attempts in flight, which end within their timeout. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#poll)
    clearTimeout(this.#gather)
    await this.#looking?.catch(() => undefined)
    this.#startReady()
    await Promise.all(this.#underWay)
  }

  /** Notifies the sender that a delivery became due. */
  wake(): void {
    this.#busyApps = undefined
    this.#wake()
  }

  #wake(): void {
    if (this.#stopped) return
    if (this.#looking !== undefined) {
      this.#lookAgain = true
      return
    }
    clearTimeout(this.#poll)
    this.#look()
      .catch((error: unknown) => this.#options.logger.warn('due deliveries could not be read', { error }))
      .finally(() => {
        if (this.#stopped) return
        if (this.#lookAgain) this.#wake()
        else this.#poll = setTimeout(() => this.#wakeByPoll(), this.#options.pollMs)
      })
  }

  /** Sends everything that may be sent now and waits for it; returns the number of leases taken. */
  async flush(): Promise<number> {
    for (let total = 0; ; ) {
      while (this.#looking !== undefined) await this.#looking.catch(() => undefined)
      this.#reclaim = true
      this.#busyApps = undefined
      const taken = await this.#look()
      total += taken
      const waiting = this.#underWay.size
      await Promise.all(this.#underWay)
      if (taken === 0 && waiting === 0 && this.#ready.length === 0) return total
    }
  }

  /** Leases as many deliveries as there are slots; returns their number. Runs one at a time. */
  #look(): Promise<number> {
    this.#lookAgain = false
    this.#looking = this.#take().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #take(): Promise<number> {
    const { database, clock, destinations, leaseMs, logger } = this.#options
    const now = clock.now()
    if (this.#reclaim) {
      this.#reclaim = false
      const expired = await returnExpiredLeases(database, now)
      if (expired > 0) logger.warn('deliveries of a worker that ended are due again', { count: expired })
    }
    const ahead = Math.min(this.#turnover.recent(performance.now()), maxAhead * this.#options.concurrency)
    const apps = await this.#dueApps(now)
    const slots = destinations.allot(apps, now.getTime(), ahead)
    if (slots.size === 0) return 0
    const lease = { id: randomUUID(), until: new Date(now.getTime() + leaseMs) }
    const leases = await takeLeases(database, slots, now, lease)
    const since = performance.now()
    const allotted = [...slots.values()].reduce((sum, count) => sum + count, 0)
    if (leases.length < allotted) this.#busyApps = undefined
    else this.#busyApps ??= { apps, until: since + sameAppsMs }
    for (const item of leases) {
      destinations.began(item.app_id)
      this.#ready.push({ lease: item, since })
    }
    this.#startReady()
    return leases.length
  }

  async #dueApps(now: Date): Promise<readonly string[]> {
    if (this.#busyApps !== undefined && performance.now() < this.#busyApps.until) return this.#busyApps.apps
    this.#busyApps = undefined
    return dueApps(this.#options.database, now)
  }

  /** Starts leased deliveries in free slots. Returns leases that waited too long, and all of them once stopped. */
  #startReady(): void {
    while (this.#ready.length > 0) {
      const stale = this.#stopped || performance.now() - this.#ready[0]!.since > staleMs
      if (!stale && this.#running >= this.#options.concurrency) return
      const { lease } = this.#ready.shift()!
      const work = (stale ? this.#giveBack(lease) : this.#deliver(lease)).finally(() => {
        this.#underWay.delete(work)
        this.#wakeSoon()
      })
      this.#underWay.add(work)
    }
  }

  async #giveBack({ app_id, lease_id, event, stage }: Lease): Promise<void> {
    const { destinations, clock } = this.#options
    const now = clock.now()
    destinations.ended(app_id, null, now.getTime())
    const { delivery_id } = event
    await this.#record({ delivery_id, lease_id, stage: returned(stage, now), attempt: null, now })
  }

  async #deliver(lease: Lease): Promise<void> {
    const { attempt, destinations, clock, logger } = this.#options
    if (lease.stage.attempt === 1) {
      this.#waits.observe(Math.max(0, (clock.now().getTime() - Date.parse(lease.event.created_at)) / 1000))
    }
    const span = startSpan('webhook attempt', {
      kind: 'client',
      parent: lease.traceparent ?? undefined,
      attributes: { 'kyc.delivery_id': lease.event.delivery_id, 'kyc.attempt': lease.stage.attempt },
    })
    this.#attemptsUnderWay.set(++this.#running)
    const { settlement, outcome } = await attemptDelivery(attempt, lease)
    this.#attemptsUnderWay.set(--this.#running)
    this.#turnover.add(performance.now())
    const success = outcome && succeeded(outcome)
    span.end({
      failed: success === false,
      attributes: {
        'http.response.status_code': outcome?.status_code ?? undefined,
        'error.type': outcome?.error?.code,
      },
    })
    destinations.ended(lease.app_id, success, clock.now().getTime())
    this.#outcomes.inc({
      outcome: outcome?.error?.code ?? (success === null ? 'unsent' : success ? 'delivered' : 'status'),
    })
    logger.info('webhook attempt', {
      delivery_id: lease.event.delivery_id,
      app_id: lease.app_id,
      correlation_id: lease.correlation_id,
      trace_id: traceIdOf(span.traceparent),
      attempt: lease.stage.attempt,
      status: settlement.stage.stage,
      status_code: outcome?.status_code ?? null,
      error_code: outcome?.error?.code ?? null,
      duration_ms: outcome?.duration_ms ?? null,
    })
    // The slot is free while the outcome is being written.
    this.#startReady()
    this.#wakeSoon()
    await this.#record(settlement)
  }

  /** Retries while the database is unavailable, until the lease has expired. */
  async #record(settlement: Settlement): Promise<void> {
    const { leaseMs, logger } = this.#options
    const { delivery_id } = settlement
    for (let waitedMs = 0; ; waitedMs += settleRetryMs) {
      try {
        const written = await this.#settlements.add(settlement)
        if (!written.has(delivery_id)) logger.warn('a delivery had passed to another worker', { delivery_id })
        return
      } catch (error) {
        logger.warn('the outcome of an attempt could not be written', { delivery_id, error })
        if (this.#stopped || waitedMs >= leaseMs) return
        await new Promise((resume) => setTimeout(resume, settleRetryMs))
      }
    }
  }

  #wakeByPoll(): void {
    this.#reclaim = true
    this.wake()
  }

  #wakeSoon(): void {
    if (this.#stopped || this.#gather !== undefined) return
    // Enough is leased for now; the attempt that leaves less than half calls this again.
    if (this.#ready.length > this.#turnover.recent(performance.now()) / 2) return
    this.#gather = setTimeout(() => {
      this.#gather = undefined
      this.#wake()
    }, gatherMs)
  }
}
