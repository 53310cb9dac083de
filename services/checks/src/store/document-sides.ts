import type { DocumentType } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { Vault } from '@kyc/vault'
import type { CapturedSide, SideReading } from '../domain/document/side-reading.ts'
import type { Prisma } from './prisma.ts'

export interface SessionScope {
  readonly app_id: string
  readonly session_id: string
}

export interface StoredSide extends CapturedSide {
  readonly object_id: string
  readonly document_type: DocumentType
  readonly country: string | null
}

const sealContext = 'checks.side_reading'

/** The readings of the sides of a session's document. Readings are sealed, so a purge of the key destroys them. */
export class DocumentSides {
  readonly #prisma: Prisma
  readonly #vault: Vault

  constructor(prisma: Prisma, vault: Vault) {
    this.#prisma = prisma
    this.#vault = vault
  }

  /** Front first. Throws `VaultKeyDestroyedError` when the session was purged. */
  async find({ app_id, session_id }: SessionScope, round: number): Promise<StoredSide[]> {
    const rows = await this.#prisma.documentSide.findMany({
      where: { appId: app_id, sessionId: session_id, round },
      orderBy: { side: 'desc' },
    })
    return Promise.all(
      rows.map(async (row) => ({
        side: row.side as 'front' | 'back',
        capture_method: row.captureMethod as 'camera' | 'upload',
        object_id: row.objectId,
        document_type: row.documentType as DocumentType,
        country: row.country,
        // Only `seal` below writes this value.
        reading: (await this.#vault.open(
          { app_id, session_id },
          sealContext,
          row.sealedReading,
        )) as SideReading,
      })),
    )
  }

  seal(scope: SessionScope, reading: SideReading): Promise<Buffer> {
    return this.#vault.seal(scope, sealContext, reading)
  }

  /** Stores a side and replaces an earlier capture of it. */
  async put(
    tx: Sql,
    { app_id, session_id }: SessionScope,
    round: number,
    side: StoredSide,
    sealedReading: Buffer,
    at: Date,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO document_side (session_id, round, side, app_id, object_id, document_type, country, capture_method,
         sealed_reading, read_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (session_id, round, side) DO UPDATE SET object_id = EXCLUDED.object_id,
         document_type = EXCLUDED.document_type, country = EXCLUDED.country, capture_method = EXCLUDED.capture_method,
         sealed_reading = EXCLUDED.sealed_reading, read_at = EXCLUDED.read_at
       WHERE document_side.app_id = EXCLUDED.app_id`,
      [
        session_id,
        round,
        side.side,
        app_id,
        side.object_id,
        side.document_type,
        side.country,
        side.capture_method,
        sealedReading,
        at,
      ],
    )
  }

  /** Returns the number of deleted rows. */
  async forget(tx: Sql, { app_id, session_id }: SessionScope): Promise<number> {
    const { rowCount } = await tx.query('DELETE FROM document_side WHERE app_id = $1 AND session_id = $2', [
      app_id,
      session_id,
    ])
    return rowCount
  }
}
