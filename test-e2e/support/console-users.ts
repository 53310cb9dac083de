import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { ConsoleRole } from '@kyc/common'
import { newId } from '@kyc/runtime'
import pg from 'pg'
import type { TestSystem } from './system.ts'

export type SignedIn = { cookie: string; csrf: string }
export type ConsoleUsers = ReturnType<typeof consoleUsers>

/** Console users and their sign-ins written straight into the tables: hundreds of them, without a password to hash. */
export function consoleUsers(system: Pick<TestSystem, 'databaseUrl'>) {
  const pool = new pg.Pool({ connectionString: system.databaseUrl, max: 4 })
  return {
    /** A user of a role who sees `appIds`, or all apps, with the first one's password and second factor. Returns the id. */
    async add(role: ConsoleRole, appIds: string[] | null = null): Promise<string> {
      const id = newId('user')
      await pool.query(
        `INSERT INTO console.console_user (id, email, role, app_ids, password_hash, totp_secret, created_at)
         SELECT $1, $2, $3, $4::text[], password_hash, totp_secret, now() FROM console.console_user ORDER BY created_at LIMIT 1`,
        [id, `${id.toLowerCase()}@example.com`, role, appIds],
      )
      return id
    },
    /** Signed in this moment, second factor included. */
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
