import { randomUUID } from 'node:crypto'
import { defineEvent, defineRequest } from '@kyc/common'
import { type Clock, type Database, openDatabase, silentLogger, systemClock } from '@kyc/runtime'
import { createTestDatabase } from '@kyc/testing'
import { z } from 'zod'
import {
  type Bus,
  type BusHooks,
  busTablesSql,
  createOutbox,
  type Outbox,
  OutboxRelay,
} from '../src/index.ts'

/** The part that differs between the transports. */
export type Transport = {
  /** A bus as in one process. `scope` separates the queues of the tests. */
  createBus(options: BusOptions): Promise<Bus>
  close(): Promise<void>
}

export type BusOptions = {
  scope: string
  clock: Clock
  retryTiersMs: readonly number[]
  closeTimeoutMs?: number
  hooks?: BusHooks
}

export const fastTiersMs = [30, 60, 90]

export async function startPostgres() {
  const { url, drop } = await createTestDatabase()
  return {
    url,
    open: (schema: string) => openDatabase({ url, schema, logger: silentLogger, poolSize: 6 }),
    stop: drop,
  }
}

export type Postgres = Awaited<ReturnType<typeof startPostgres>>

/** One service's schema with its outbox and inbox, and contracts that no other test uses. */
export class World {
  readonly scope = `t${randomUUID().replaceAll('-', '').slice(0, 12)}`
  readonly changed = defineEvent(
    `${this.scope}.changed`,
    1,
    z.object({ number: z.number(), text: z.string().optional() }),
  )
  readonly changedV2 = defineEvent(`${this.scope}.changed`, 2, z.object({ amount: z.string() }))
  readonly double = defineRequest(
    `${this.scope}.double`,
    1,
    z.object({ number: z.number() }),
    z.object({ doubled: z.number() }),
    { deadline_ms: 5_000 },
  )
  readonly outbox: Outbox
  readonly database: Database
  clock: Clock = systemClock
  readonly #transport: Transport
  readonly #closers: (() => Promise<void>)[] = []

  constructor(transport: Transport, database: Database) {
    this.#transport = transport
    this.database = database
    this.outbox = createOutbox({ clock: { now: () => this.clock.now() } })
  }

  static async create(transport: Transport, postgres: Postgres): Promise<World> {
    const scope = `w${randomUUID().replaceAll('-', '').slice(0, 12)}`
    const database = await postgres.open(scope)
    const world = new World(transport, database)
    await database.query(busTablesSql)
    await database.query('CREATE TABLE effect (message_id text NOT NULL)')
    return world
  }

  /** A bus that is not started yet. It is closed at the end of the test. */
  async bus(options: Partial<BusOptions> = {}): Promise<Bus> {
    const clock: Clock = { now: () => this.clock.now() }
    const defaults = { scope: this.scope, clock, retryTiersMs: fastTiersMs }
    const bus = await this.#transport.createBus({ ...defaults, ...options })
    this.#closers.push(() => bus.close())
    return bus
  }

  async relay(bus: Pick<Bus, 'publish' | 'attach'>): Promise<OutboxRelay> {
    const relay = new OutboxRelay({
      database: this.database,
      bus,
      logger: silentLogger,
      clock: { now: () => this.clock.now() },
    })
    await relay.start()
    this.#closers.push(() => relay.stop())
    return relay
  }

  /** Appends one event in a separate transaction. */
  append(number: number, options: { orderingKey?: string; delayMs?: number } = {}): Promise<string> {
    return this.database.transaction((tx) => this.outbox.append(tx, this.changed, { number }, options))
  }

  async close(): Promise<void> {
    for (const close of this.#closers.reverse()) await close()
    await this.database.query(`DROP SCHEMA ${this.database.schema} CASCADE`)
    await this.database.close()
  }
}

/** Records received items and lets a test wait for them. */
export class Received<T> {
  readonly items: T[] = []
  #waiting: (() => void)[] = []

  add(item: T): void {
    this.items.push(item)
    for (const check of this.#waiting) check()
  }

  /** Resolves when at least `count` items have arrived. */
  async count(count: number): Promise<T[]> {
    if (this.items.length < count) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(() => {
          if (this.items.length >= count) resolve()
        })
      })
    }
    return this.items
  }
}

/** A promise that a test resolves explicitly. */
export function gate(): { opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
