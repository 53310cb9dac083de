import type { Database } from '@kyc/runtime'
import { type Vault, VaultKeyDestroyedError } from '@kyc/vault'
import { cosineSimilarity, roundedSimilarity } from '../domain/cosine-similarity.ts'
import type { FaceMatch } from '../domain/duplicate-check.ts'
import { NearestNeighbours } from '../domain/nearest-neighbours.ts'
import { blockedFaces } from '../store/blocked-faces.ts'
import { type ChangeCursor, changedFaces, type FaceChange, findFaces } from '../store/faces.ts'
import type { PrismaClient } from '../store/generated/client.ts'
import { EMBEDDING_CONTEXT, EMBEDDING_SIZE, fromStoredEmbedding } from './embedding-value.ts'

/** Changes this far back are read again, because a transaction may commit after one with a later timestamp. */
const OVERLAP_MS = 120_000
const PAGE_ROWS = 1_000
const OPENED_AT_ONCE = 32
/** Maximum number of candidates compared exactly; more than a reviewer would read. */
const MAX_MATCHES = 50

type AppFaces = {
  index: NearestNeighbours
  cursor: ChangeCursor
  /** Rows within the overlap that were already applied, with their time. */
  recent: Map<string, string>
  syncing: Promise<void> | undefined
}

/**
 * In-memory index of the faces of each app, opened from their sealed rows on first use and synchronised with the table,
 * so that every replica finds faces that any replica added, and none finds purged ones.
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

  /** Other sessions of the app whose face has at least `minSimilarity`, nearest first, with exact similarities. */
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
      // The same `vendor_data` means that the same person returns, which is not a duplicate.
      if (query.vendor_data !== null && row.vendor_data === query.vendor_data) continue
      const embedding = await this.#open(query.app_id, row.session_id, row.sealed)
      if (!embedding) continue
      const similarity = roundedSimilarity(cosineSimilarity(query.embedding, embedding))
      if (similarity >= minSimilarity)
        matches.push({ session_id: row.session_id, similarity, status: row.status })
    }
    return matches.sort((a, b) => b.similarity - a.similarity)
  }

  /** Similarity to the nearest face on the app's block list if it is at least `minSimilarity`; else null. */
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

  /** Drops a session's face immediately; other replicas do so on their next search. */
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
    // A concurrent search waits for the running synchronisation and then starts its own.
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

  /** Null if the session was purged, because its key is destroyed. */
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

/** Start of a read that also includes late commits. */
function before({ changed_at }: ChangeCursor): ChangeCursor {
  if (changed_at === '-infinity') return { changed_at, session_id: '' }
  return { changed_at: new Date(new Date(changed_at).getTime() - OVERLAP_MS).toISOString(), session_id: '' }
}

function within(seen: Map<string, string>, since: ChangeCursor): Map<string, string> {
  if (since.changed_at === '-infinity') return seen
  const start = new Date(since.changed_at)
  return new Map([...seen].filter(([, changedAt]) => new Date(changedAt) >= start))
}
