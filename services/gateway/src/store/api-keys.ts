import { type ApiKey, type Environment, type KeyScope, toTimestamp } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { ApiKey as ApiKeyRow, PrismaClient } from './generated/client.ts'

/** The data of a key that is needed to handle a request. */
export type KeyRecord = {
  id: string
  app_id: string
  environment: Environment
  rate_limit_per_minute: number | null
  /** Null: full access to the app. */
  scopes: KeyScope[] | null
  expires_at: Date | null
  revoked_at: Date | null
}

/** The keys with these hashes (hex), by hash. Runs for every request whose key is not cached. */
export async function findKeysByHash(
  sql: Sql,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, KeyRecord>> {
  const { rows } = await sql.query<KeyRecord & { hash: string }>(
    `SELECT encode(key_sha256, 'hex') AS hash, id, app_id, environment, rate_limit_per_minute, scopes, expires_at, revoked_at
     FROM api_key WHERE key_sha256 = ANY($1)`,
    [hashes.map((hash) => Buffer.from(hash, 'hex'))],
  )
  return new Map(rows.map(({ hash, ...key }) => [hash, key]))
}

/** Hashes (hex) of the keys revoked since that time. */
export async function revokedSince(sql: Sql, since: Date): Promise<string[]> {
  const { rows } = await sql.query<{ hash: string }>(
    "SELECT encode(key_sha256, 'hex') AS hash FROM api_key WHERE revoked_at >= $1",
    [since],
  )
  return rows.map((row) => row.hash)
}

export async function markUsed(sql: Sql, uses: ReadonlyMap<string, Date>): Promise<void> {
  await sql.query(
    `UPDATE api_key SET last_used_at = greatest(last_used_at, used.at)
     FROM unnest($1::text[], $2::timestamptz[]) AS used (id, at) WHERE api_key.id = used.id`,
    [[...uses.keys()], [...uses.values()]],
  )
}

const orNull = (date: Date | null) => (date ? toTimestamp(date) : null)

const present = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  environment: row.environment as Environment,
  created_at: toTimestamp(row.createdAt),
  last_used_at: orNull(row.lastUsedAt),
  expires_at: orNull(row.expiresAt),
  revoked_at: orNull(row.revokedAt),
  rate_limit_per_minute: row.rateLimitPerMinute,
  // Prisma represents a missing list as empty, never as null.
  scopes: row.scopes.length > 0 ? (row.scopes as KeyScope[]) : null,
})

export const apiKeyStore = (prisma: PrismaClient) => ({
  insert: async (key: {
    id: string
    app_id: string
    environment: Environment
    name: string
    prefix: string
    sha256: Buffer
    rate_limit_per_minute: number | null
    scopes: KeyScope[] | null
    created_at: Date
    expires_at: Date | null
  }) =>
    present(
      await prisma.apiKey.create({
        data: {
          id: key.id,
          appId: key.app_id,
          environment: key.environment,
          name: key.name,
          prefix: key.prefix,
          keySha256: new Uint8Array(key.sha256),
          rateLimitPerMinute: key.rate_limit_per_minute,
          ...(key.scopes ? { scopes: key.scopes } : {}),
          createdAt: key.created_at,
          expiresAt: key.expires_at,
        },
      }),
    ),

  list: async (appId: string) =>
    (await prisma.apiKey.findMany({ where: { appId }, orderBy: { createdAt: 'desc' } })).map(present),

  /** Returns null if the app has no such key. Undefined fields are left unchanged. */
  update: async (
    appId: string,
    id: string,
    change: { name?: string | undefined; rate_limit_per_minute?: number | null | undefined },
  ) => {
    await prisma.apiKey.updateMany({
      where: { appId, id },
      data: { name: change.name, rateLimitPerMinute: change.rate_limit_per_minute },
    })
    const row = await prisma.apiKey.findFirst({ where: { appId, id } })
    return row ? present(row) : null
  },

  /** Returns null if the app has no such key. Revoking again keeps the first time. */
  revoke: async (appId: string, id: string, at: Date) => {
    await prisma.apiKey.updateMany({ where: { appId, id, revokedAt: null }, data: { revokedAt: at } })
    const row = await prisma.apiKey.findFirst({ where: { appId, id } })
    return row ? present(row) : null
  },
})
export type ApiKeyStore = ReturnType<typeof apiKeyStore>
