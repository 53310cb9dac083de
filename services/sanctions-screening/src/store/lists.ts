import { createOutbox } from '@kyc/bus'
import { sanctionsListUpdated } from '@kyc/common'
import type { Clock, PooledDatabase } from '@kyc/runtime'
import { type ListId, listIds, type SanctionsList } from '../domain/entity.ts'
import type { ListDelta } from '../lists/delta.ts'
import type { RejectedFile } from '../lists/folder-files.ts'
import type { FormatId } from '../lists/format.ts'
import type { RejectionCode } from '../lists/rejection.ts'
import { packEntities, unpackEntities } from '../lists/stored-form.ts'
import type { ListState } from './generated/client.ts'
import type { Prisma } from './prisma.ts'

/** Told to every replica when another version serves. */
export const servingChannel = 'sanctions_serving'

/** What a source gave to be asked conditionally with the next time. */
export type SourceMark = {
  source: string
  etag: string | null
  lastModified: string | null
}

export type FailureCode = RejectionCode | 'download_failed'

/** The stored lists: which version of each serves, those that served, and how the last attempts went. */
export class ListStore {
  readonly #prisma: Prisma
  readonly #database: PooledDatabase
  readonly #clock: Clock
  readonly #outbox
  /** Versions that this process stored and has not read since: the index is built from them next. */
  readonly #justServed = new Map<ListId, SanctionsList>()

  constructor(prisma: Prisma, database: PooledDatabase, clock: Clock) {
    this.#prisma = prisma
    this.#database = database
    this.#clock = clock
    this.#outbox = createOutbox({ clock })
  }

  /** In the order of `listIds`. */
  async states(): Promise<ListState[]> {
    const rows = await this.#prisma.listState.findMany()
    const order: readonly string[] = listIds
    return rows.sort((a, b) => order.indexOf(a.list) - order.indexOf(b.list))
  }

  async state(list: ListId): Promise<ListState | null> {
    return this.#prisma.listState.findUnique({ where: { list } })
  }

  /** Null when there is no such version. */
  async read(list: ListId, version: string): Promise<SanctionsList | null> {
    const held = this.#justServed.get(list)
    if (held?.version === version) {
      this.#justServed.delete(list)
      return held
    }
    const row = await this.#prisma.listVersion.findUnique({ where: { list_version: { list, version } } })
    if (row === null) return null
    return {
      id: list,
      version,
      fetched_at: wire(row.fetchedAt),
      published_at: row.publishedAt === null ? null : wire(row.publishedAt),
      entities: await unpackEntities(row.content),
    }
  }

  /** Entity ids that a version brought or changed. */
  async deltaOf(list: ListId, version: string): Promise<ListDelta | null> {
    const row = await this.#prisma.listVersion.findUnique({
      where: { list_version: { list, version } },
      select: { delta: true },
    })
    return row === null ? null : (row.delta as unknown as ListDelta)
  }

  /** Stores a version and lets it serve, in one transaction with the event that says so. */
  async serve(
    next: SanctionsList & { format: FormatId },
    delta: ListDelta,
    previous: string | null,
    mark: SourceMark | null,
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
          mark?.source ?? null,
          mark?.etag ?? null,
          mark?.lastModified ?? null,
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
      await tx.query('SELECT pg_notify($1, $2)', [servingChannel, next.id])
    })
    const { id, version, fetched_at, published_at, entities } = next
    this.#justServed.set(id, { id, version, fetched_at, published_at, entities })
  }

  /** The source has nothing new, or the same content under another date. `fetchedAt` null: it was not fetched. */
  async confirm(list: ListId, fetchedAt: string | null, mark: SourceMark | null): Promise<void> {
    const good = confirmed(fetchedAt, this.#clock.now(), mark)
    await this.#prisma.listState.update({ where: { list }, data: good })
  }

  /** The version that serves stays; the reason becomes its list's status. */
  async fail(list: ListId, code: FailureCode, message: string): Promise<void> {
    const attemptedAt = this.#clock.now()
    const failed = { attemptedAt, failureCode: code, failureMessage: message.slice(0, 500) }
    await this.#prisma.listState.upsert({
      where: { list },
      create: { list, ...failed, failures: 1 },
      update: { ...failed, failures: { increment: 1 } },
    })
  }

  /** Deletes all but the newest `keep` versions of a list; the one that serves always stays. */
  async prune(list: ListId, keep: number): Promise<number> {
    const kept = await this.#prisma.listVersion.findMany({
      where: { list },
      orderBy: { createdAt: 'desc' },
      take: keep,
      select: { version: true },
    })
    const state = await this.state(list)
    const versions = kept.map((row) => row.version).concat(state?.version ?? [])
    const { count } = await this.#prisma.listVersion.deleteMany({
      where: { list, version: { notIn: versions } },
    })
    return count
  }

  async folderFingerprint(directory: string): Promise<string | null> {
    const row = await this.#prisma.folderReading.findUnique({ where: { directory } })
    return row?.fingerprint ?? null
  }

  async rememberFolder(
    directory: string,
    fingerprint: string,
    refusedFiles: readonly RejectedFile[],
  ): Promise<void> {
    const readAt = this.#clock.now()
    const reading = { fingerprint, readAt, refused: refusedFiles.map((file) => ({ ...file })) }
    await this.#prisma.folderReading.upsert({
      where: { directory },
      create: { directory, ...reading },
      update: reading,
    })
  }

  /** The files of the folder that served no list when it was last read. */
  async refusedFiles(directory: string): Promise<RejectedFile[]> {
    const row = await this.#prisma.folderReading.findUnique({ where: { directory } })
    return (row?.refused ?? []) as unknown as RejectedFile[]
  }
}

function confirmed(fetchedAt: string | null, now: Date, mark: SourceMark | null) {
  return {
    ...(fetchedAt === null ? {} : { fetchedAt }),
    checkedAt: now,
    attemptedAt: now,
    failures: 0,
    failureCode: null,
    failureMessage: null,
    ...(mark ?? {}),
  }
}

function wire(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
}
