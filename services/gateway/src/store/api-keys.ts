import { type ApiKey, type Environment, type KeyScope, toTimestamp } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { ApiKey as ApiKeyRow, PrismaClient } from './generated/client.ts'

/** What a request needs of its key. */
export type KeyRecord = {
  id: string
  app_id: string
  environment: Environment
  rate_limit_per_minute: number | null
  /** Null: everything of the app. */
  scopes: KeyScope[] | null
  expires_at: Date | null
  revoked_at: Date | null
}

/** The keys of these hashes (hex), by hash. On the path of every request that is not in the cache. */
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

/** Hashes (hex) of keys revoked since. */
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
  // A list of a key that has none is empty, never absent, in Prisma.
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

  /** Null when the app has no such key. What is undefined stays. */
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

  /** Null when the app has no such key; revoking twice keeps the first time. */
  revoke: async (appId: string, id: string, at: Date) => {
    await prisma.apiKey.updateMany({ where: { appId, id, revokedAt: null }, data: { revokedAt: at } })
    const row = await prisma.apiKey.findFirst({ where: { appId, id } })
    return row ? present(row) : null
  },
})
export type ApiKeyStore = ReturnType<typeof apiKeyStore>
