import type { Database } from '@kyc/runtime'
import { type Vault, VaultKeyDestroyedError } from '@kyc/vault'
import { cosineSimilarity, roundedSimilarity } from '../domain/cosine-similarity.ts'
import type { FaceMatch } from '../domain/duplicate-check.ts'
import { NearestNeighbours } from '../domain/nearest-neighbours.ts'
import { blockedFaces } from '../store/blocked-faces.ts'
import { type ChangeCursor, changedFaces, type FaceChange, findFaces } from '../store/faces.ts'
import type { PrismaClient } from '../store/generated/client.ts'
import { EMBEDDING_CONTEXT, EMBEDDING_SIZE, fromStoredEmbedding } from './embedding-value.ts'

/** Changes are read again this far back: a transaction may commit after one with a later time. */
const OVERLAP_MS = 120_000
const PAGE_ROWS = 1_000
const OPENED_AT_ONCE = 32
/** Candidates looked at exactly; more than anyone would read. */
const MAX_MATCHES = 50

type AppFaces = {
  index: NearestNeighbours
  cursor: ChangeCursor
  /** Rows within the overlap that were taken over already, with their time. */
  recent: Map<string, string>
  syncing: Promise<void> | undefined
}

/**
 * The faces of each app in memory, opened from their sealed rows when first needed and kept up with the table, so
 * that every replica finds what any of them added and none what was purged.
 */
export class FaceGallery {
  readonly #database: Database
  readonly #prisma: PrismaClient
  readonly #vault: Vault
  readonly #apps = new Map<string, AppFaces>()

  constructor(deps: { database: Database; prisma: PrismaClient; vault: Vault }) {
    this.#database = deps.database
    this.#prisma = deps.prisma
    this.#vault = deps.vault
  }

  /** Other sessions of the app whose face has at least `minSimilarity`, the nearest first; exact similarities. */
  async search(
    query: { app_id: string; session_id: string; vendor_data: string | null; embedding: Float32Array },
    minSimilarity: number,
  ): Promise<FaceMatch[]> {
    const faces = await this.#upToDate(query.app_id)
    const candidates = faces.index.search(query.embedding, minSimilarity, MAX_MATCHES)
    const others = candidates.map(({ id }) => id).filter((id) => id !== query.session_id)
    if (others.length === 0) return []
    const matches: FaceMatch[] = []
    for (const row of await findFaces(this.#database, query.app_id, others)) {
      // The same client reference is the same person coming back.
      if (query.vendor_data !== null && row.vendor_data === query.vendor_data) continue
      const embedding = await this.#open(query.app_id, row.session_id, row.sealed)
      if (!embedding) continue
      const similarity = roundedSimilarity(cosineSimilarity(query.embedding, embedding))
      if (similarity >= minSimilarity)
        matches.push({ session_id: row.session_id, similarity, status: row.status })
    }
    return matches.sort((a, b) => b.similarity - a.similarity)
  }

  /** Similarity to the nearest face the app refuses, where it reaches `minSimilarity`; else null. */
  async nearestBlocked(
    appId: string,
    embedding: Float32Array,
    minSimilarity: number,
  ): Promise<number | null> {
    let nearest: number | null = null
    for (const { sealed } of await blockedFaces(this.#prisma, appId)) {
      const blocked = fromStoredEmbedding(await this.#vault.openForApp(appId, EMBEDDING_CONTEXT, sealed))
      const similarity = roundedSimilarity(cosineSimilarity(embedding, blocked))
      if (similarity >= minSimilarity && (nearest === null || similarity > nearest)) nearest = similarity
    }
    return nearest
  }

  /** Forgets a session's face now; other replicas do when they next search. */
  forget(appId: string, sessionId: string): void {
    this.#apps.get(appId)?.index.delete(sessionId)
  }

  async #upToDate(appId: string): Promise<AppFaces> {
    let faces = this.#apps.get(appId)
    if (!faces) {
      faces = {
        index: new NearestNeighbours(EMBEDDING_SIZE),
        cursor: { changed_at: '-infinity', session_id: '' },
        recent: new Map(),
        syncing: undefined,
      }
      this.#apps.set(appId, faces)
    }
    const current = faces
    // Searches that come meanwhile wait for the reading under way and then look for themselves.
    while (current.syncing) await current.syncing
    current.syncing = this.#sync(appId, current).finally(() => {
      current.syncing = undefined
    })
    await current.syncing
    return current
  }

  async #sync(appId: string, faces: AppFaces): Promise<void> {
    let cursor = before(faces.cursor)
    const seen = new Map<string, string>()
    for (;;) {
      const changes = await changedFaces(this.#database, appId, cursor, PAGE_ROWS)
      for (let first = 0; first < changes.length; first += OPENED_AT_ONCE) {
        const part = changes.slice(first, first + OPENED_AT_ONCE)
        await Promise.all(part.map((change) => this.#take(appId, faces, change)))
      }
      for (const { session_id, changed_at } of changes) seen.set(session_id, changed_at)
      cursor = changes.at(-1) ?? cursor
      if (changes.length < PAGE_ROWS) break
    }
    if (seen.size > 0) faces.cursor = { changed_at: cursor.changed_at, session_id: cursor.session_id }
    faces.recent = within(seen, before(faces.cursor))
  }

  async #take(appId: string, faces: AppFaces, { session_id, sealed, changed_at }: FaceChange): Promise<void> {
    if (faces.recent.get(session_id) === changed_at) return
    const embedding = sealed && (await this.#open(appId, session_id, sealed))
    if (embedding) faces.index.set(session_id, embedding)
    else faces.index.delete(session_id)
  }

  /** Null where the session was purged: its key is gone. */
  async #open(appId: string, sessionId: string, sealed: Buffer): Promise<Float32Array | null> {
    try {
      const scope = { app_id: appId, session_id: sessionId }
      return fromStoredEmbedding(await this.#vault.open(scope, EMBEDDING_CONTEXT, sealed))
    } catch (error) {
      if (error instanceof VaultKeyDestroyedError) return null
      throw error
    }
  }
}

/** Where a reading begins that also sees what was committed late. */
function before({ changed_at }: ChangeCursor): ChangeCursor {
  if (changed_at === '-infinity') return { changed_at, session_id: '' }
  return { changed_at: new Date(new Date(changed_at).getTime() - OVERLAP_MS).toISOString(), session_id: '' }
}

function within(seen: Map<string, string>, since: ChangeCursor): Map<string, string> {
  if (since.changed_at === '-infinity') return seen
  const start = new Date(since.changed_at)
  return new Map([...seen].filter(([, changedAt]) => new Date(changedAt) >= start))
}
