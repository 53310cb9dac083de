import { createOutbox } from '@kyc/bus'
import { sanctionsListUpdated, toTimestamp } from '@kyc/common'
import type { Clock, PooledDatabase } from '@kyc/runtime'
import { type ListId, listIds, type SanctionsList } from '../domain/entity.ts'
import type { ListDelta } from '../domain/lists/list-delta.ts'
import type { RejectionCode } from '../domain/lists/rejection.ts'
import type { DownloadValidators } from '../lists/fetch-list.ts'
import type { FormatId } from '../lists/format.ts'
import { packEntities, unpackEntities } from '../lists/stored-form.ts'
import type { ListState } from './generated/client.ts'
import type { Prisma } from './prisma.ts'

/** PostgreSQL notification channel on which replicas learn that a list has a new active version. */
export const listUpdateChannel = 'sanctions_serving'

export type FailureCode = RejectionCode | 'download_failed'

/** The stored lists: the active version of each, earlier versions, and the outcome of the last refresh attempts. */
export class ListStore {
  readonly #prisma: Prisma
  readonly #database: PooledDatabase
  readonly #clock: Clock
  readonly #outbox
  /** Versions that this process has just activated. Caching them saves reading them back for the next index build. */
  readonly #justActivated = new Map<ListId, SanctionsList>()

  constructor(prisma: Prisma, database: PooledDatabase, clock: Clock) {
    this.#prisma = prisma
    this.#database = database
    this.#clock = clock
    this.#outbox = createOutbox({ clock })
  }

  /** In the order of `listIds`. */
  async listStates(): Promise<ListState[]> {
    const rows = await this.#prisma.listState.findMany()
    const order: readonly string[] = listIds
    return rows.sort((a, b) => order.indexOf(a.list) - order.indexOf(b.list))
  }

  async findState(list: ListId): Promise<ListState | null> {
    return this.#prisma.listState.findUnique({ where: { list } })
  }

  /** Returns null when the version is not stored. */
  async readVersion(list: ListId, version: string): Promise<SanctionsList | null> {
    const cached = this.#justActivated.get(list)
    if (cached?.version === version) {
      this.#justActivated.delete(list)
      return cached
    }
    const row = await this.#prisma.listVersion.findUnique({ where: { list_version: { list, version } } })
    if (row === null) return null
    return {
      id: list,
      version,
      fetched_at: toTimestamp(row.fetchedAt),
      published_at: row.publishedAt === null ? null : toTimestamp(row.publishedAt),
      entities: await unpackEntities(row.content),
    }
  }

  /** The entities that a version added, changed and removed; null when the version is not stored. */
  async readDelta(list: ListId, version: string): Promise<ListDelta | null> {
    const row = await this.#prisma.listVersion.findUnique({
      where: { list_version: { list, version } },
      select: { delta: true },
    })
    return row === null ? null : (row.delta as unknown as ListDelta)
  }

  /** Stores a version and makes it the active one, in one transaction with the `sanctions.list_updated` event. */
  async activate(
    next: SanctionsList & { format: FormatId },
    delta: ListDelta,
    previous: string | null,
    validators: DownloadValidators | null,
  ): Promise<void> {
    const content = await packEntities(next.entities)
    const now = this.#clock.now().toISOString()
    await this.#database.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO list_version
           (list, version, format, published_at, fetched_at, entity_count, content, previous, delta, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (list, version) DO UPDATE SET fetched_at = EXCLUDED.fetched_at, previous = EXCLUDED.previous,
           delta = EXCLUDED.delta, created_at = EXCLUDED.created_at`,
        [
          next.id,
          next.version,
          next.format,
          next.published_at,
          next.fetched_at,
          next.entities.length,
          content,
          previous,
          JSON.stringify(delta),
          now,
        ],
      )
      await tx.query(
        `INSERT INTO list_state (list, version, fetched_at, checked_at, attempted_at, source, etag, last_modified)
         VALUES ($1, $2, $3, $4, $4, $5, $6, $7)
         ON CONFLICT (list) DO UPDATE SET version = EXCLUDED.version, fetched_at = EXCLUDED.fetched_at,
           checked_at = EXCLUDED.checked_at, attempted_at = EXCLUDED.attempted_at, failures = 0, failure_code = NULL,
           failure_message = NULL, source = EXCLUDED.source, etag = EXCLUDED.etag, last_modified = EXCLUDED.last_modified`,
        [
          next.id,
          next.version,
          next.fetched_at,
          now,
          validators?.source ?? null,
          validators?.etag ?? null,
          validators?.lastModified ?? null,
        ],
      )
      await this.#outbox.append(tx, sanctionsListUpdated, {
        list: next.id,
        version: next.version,
        previous_version: previous,
        added: delta.added.length,
        changed: delta.changed.length,
        removed: delta.removed.length,
      })
      await tx.query('SELECT pg_notify($1, $2)', [listUpdateChannel, next.id])
    })
    const { id, version, fetched_at, published_at, entities } = next
    this.#justActivated.set(id, { id, version, fetched_at, published_at, entities })
  }

  /**
   * Records a successful check that found no new content.
   * @param fetchedAt null when the source answered a conditional request without sending the list
   */
  async markUnchanged(
    list: ListId,
    fetchedAt: string | null,
    validators: DownloadValidators | null,
  ): Promise<void> {
    const data = successfulCheck(fetchedAt, this.#clock.now(), validators)
    await this.#prisma.listState.update({ where: { list }, data })
  }

  /** Records a failed attempt. The active version stays; the failure becomes the list's status. */
  async recordFailure(list: ListId, code: FailureCode, message: string): Promise<void> {
    const attemptedAt = this.#clock.now()
    const failure = { attemptedAt, failureCode: code, failureMessage: message.slice(0, 500) }
    await this.#prisma.listState.upsert({
      where: { list },
      create: { list, ...failure, failures: 1 },
      update: { ...failure, failures: { increment: 1 } },
    })
  }

  /** Deletes all but the newest `count` versions of a list. The active version is never deleted. */
  async prune(list: ListId, count: number): Promise<number> {
    const newest = await this.#prisma.listVersion.findMany({
      where: { list },
      orderBy: { createdAt: 'desc' },
      take: count,
      select: { version: true },
    })
    const state = await this.findState(list)
    const versions = newest.map((row) => row.version).concat(state?.version ?? [])
    const { count: deleted } = await this.#prisma.listVersion.deleteMany({
      where: { list, version: { notIn: versions } },
    })
    return deleted
  }
}

function successfulCheck(fetchedAt: string | null, now: Date, validators: DownloadValidators | null) {
  return {
    ...(fetchedAt === null ? {} : { fetchedAt }),
    checkedAt: now,
    attemptedAt: now,
    failures: 0,
    failureCode: null,
    failureMessage: null,
    ...(validators ?? {}),
  }
}
