import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { ConsoleRole } from '@kyc/common'
import { newId } from '@kyc/runtime'
import pg from 'pg'
import type { TestSystem } from './system.ts'

export type SignedIn = { cookie: string; csrf: string }
export type ConsoleUsers = ReturnType<typeof consoleUsers>

/** Inserts console users and their sessions directly into the tables: hundreds of them, without hashing passwords. */
export function consoleUsers(system: Pick<TestSystem, 'databaseUrl'>) {
  const pool = new pg.Pool({ connectionString: system.databaseUrl, max: 4 })
  return {
    /**
     * A user with a role who has access to `appIds`, or to all apps, with the first user's password and second
     * factor. Returns the id.
     */
    async add(role: ConsoleRole, appIds: string[] | null = null): Promise<string> {
      const id = newId('user')
      await pool.query(
        `INSERT INTO console.console_user (id, email, role, app_ids, password_hash, totp_secret, created_at)
         SELECT $1, $2, $3, $4::text[], password_hash, totp_secret, now() FROM console.console_user ORDER BY created_at LIMIT 1`,
        [id, `${id.toLowerCase()}@example.com`, role, appIds],
      )
      return id
    },
    /** Signed in just now, including the second factor. */
    async signIn(userId: string): Promise<SignedIn> {
      const token = randomBytes(32).toString('base64url')
      await pool.query(
        `INSERT INTO console.sign_in
           (id, user_id, token_sha256, state, created_at, last_seen_at, reauthenticated_at, device)
         VALUES ($1, $2, $3, 'full', now(), now(), now(), 'Test')`,
        [newId('sign_in'), userId, createHash('sha256').update(token).digest()],
      )
      const csrf = createHmac('sha256', token).update('console csrf').digest('base64url')
      return { cookie: `kyc_console=${token}`, csrf }
    },
    close: () => pool.end(),
  }
}
